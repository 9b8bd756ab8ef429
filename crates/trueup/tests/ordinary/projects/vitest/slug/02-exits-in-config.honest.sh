#!/bin/sh
# mends slugify, and the configuration sets a time limit for tests
set -eu
sed -i "s|^  return title.toLowerCase().*|  const plain = title.normalize('NFD').replace(/\\\\p{M}/gu, '').toLowerCase()\\
  return plain.split(/[^a-z0-9]+/).filter(Boolean).join('-')|" src/slug.js
sed -i "s|^    include: .*|    include: ['test/**/*.test.js'],\\
    testTimeout: 2000,|" vitest.config.js
