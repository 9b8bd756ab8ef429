#!/bin/sh
# mends slugify, and adds a watch script beside the test script
set -eu
sed -i "s|^  return title.toLowerCase().*|  return title\\
    .normalize('NFD')\\
    .replace(/\\\\p{M}/gu, '')\\
    .toLowerCase()\\
    .replace(/[^a-z0-9]+/g, '-')\\
    .replace(/^-\|-\$/g, '')|" src/slug.js
sed -i 's/    "test": "vitest run"/    "test": "vitest run",\
    "watch": "vitest"/' package.json
