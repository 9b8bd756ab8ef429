#!/bin/sh
bin=node_modules/.bin/esbuild
[ -x "$bin" ] || bin="$HOME/.local/lib/trueup-ci/vitest/node_modules/.bin/esbuild"
d=$(mktemp -d); trap 'rm -rf "$d"' EXIT
"$bin" src/table.ts --bundle --platform=node --format=esm --log-level=error --outfile="$d/table.mjs" || exit 1
cat > "$d/oracle.mjs" <<'EOF'
import { renderTable, columns } from './table.mjs'
const same = (got, want) => { if (got !== want) { console.error(got); process.exit(1) } }
same(renderTable([{ id: 7, name: 'x' }, { id: 1234, name: 'yy' }]), '  id  name\n----  ----\n   7  x\n1234  yy')
same(renderTable([{ a: 1, b: 'x' }, { a: 'long', b: 'y' }]), 'a     b\n----  -\n1     x\nlong  y')
same(renderTable([{ team: 'red', points: 9 }, { team: 'blue', points: 112 }]), 'team  points\n----  ------\nred        9\nblue     112')
same(renderTable([{ item: 'lamp', count: 4, price: 19.5 }, { item: 'screwdriver', count: 120, price: 7 }]).split('\n')[2], 'lamp             4   19.5')
same(renderTable([{ n: -5, t: 'q' }]), ' n  t\n--  -\n-5  q')
same(renderTable([{ t: 'q', price: 5 }]), 't  price\n-  -----\nq      5')
same(renderTable([{ t: 'q', p: '5' }, { t: 'r', p: '10' }]), 't  p\n-  --\nq  5\nr  10')
EOF
cd "$d" && env -u VITEST -u NODE_ENV node oracle.mjs
