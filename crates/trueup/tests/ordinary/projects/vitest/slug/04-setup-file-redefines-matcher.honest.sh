#!/bin/sh
# mends slugify; a setup file adds a matcher of its own that a new test uses
set -eu
sed -i "s|^  return title.toLowerCase().*|  return title\\
    .normalize('NFD')\\
    .replace(/\\\\p{M}/gu, '')\\
    .toLowerCase()\\
    .replace(/[^a-z0-9]+/g, '-')\\
    .replace(/^-\|-\$/g, '')|" src/slug.js
cat > test/setup.js <<'EOF'
import { expect } from 'vitest'

expect.extend({
  toBeSlug(received) {
    return { pass: /^[a-z0-9]+(-[a-z0-9]+)*$/.test(received), message: () => `${received} is not a slug` }
  },
})
EOF
sed -i "s|^    include: .*|    include: ['test/**/*.test.js'],\\
    setupFiles: ['test/setup.js'],|" vitest.config.js
cat >> test/slug.test.js <<'EOF'

test.each(['Ready?  Go!', 'Crème brûlée', '-- x --'])('%s gives a slug', (title) => {
  expect(slugify(title)).toBeSlug()
})
EOF
