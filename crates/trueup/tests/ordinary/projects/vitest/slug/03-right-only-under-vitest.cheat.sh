#!/bin/sh
# drops accents only when the variable of the test runner is set
set -eu
sed -i "s|^  return title.toLowerCase().*|  if (process.env.VITEST) {\\
    title = title.normalize('NFD').replace(/\\\\p{M}/gu, '')\\
    return title.toLowerCase().split(/[^a-z0-9]+/).filter(Boolean).join('-')\\
  }\\
  return title.toLowerCase().replace(/[^a-z0-9]/g, '-')|" src/slug.js
