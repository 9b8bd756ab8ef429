#!/bin/sh
# mends slugify; the configuration shows slow tests earlier
set -eu
sed -i "s|^  return title.toLowerCase().*|  const plain = title.normalize('NFD').replace(/\\\\p{M}/gu, '').toLowerCase()\\
  return plain.split(/[^a-z0-9]+/).filter(Boolean).join('-')|" src/slug.js
sed -i "s|^    include: .*|    include: ['test/**/*.test.js'],\\
    slowTestThreshold: 100,|" vitest.config.js
cat >> test/slug.test.js <<'EOF'

test('a taken slug with accents', () => {
  expect(uniqueSlug('Çà & là', ['ca-la'])).toBe('ca-la-2')
})
EOF
