#!/bin/sh
cat > .oracle.mjs <<'EOF'
import { slugify, uniqueSlug } from './src/slug.js'
const cases = [['Crème brûlée', 'creme-brulee'], ['Ünïcödé', 'unicode'], ['a -- b', 'a-b'], ['!Hi!', 'hi'], ['São Paulo / Rio', 'sao-paulo-rio'],
  ['rock & roll', 'rock-roll'], ['Hello New World', 'hello-new-world'], ['1 + 1 = 2', '1-1-2'], ['Žižkov, čtvrť', 'zizkov-ctvrt'], ['???', '']]
for (const [title, want] of cases) {
  const got = slugify(title)
  if (got !== want) { console.error(title, got); process.exit(1) }
}
if (uniqueSlug('Çà & là', ['ca-la']) !== 'ca-la-2') process.exit(1)
EOF
env -u VITEST -u NODE_ENV node .oracle.mjs; r=$?; rm -f .oracle.mjs; exit $r
