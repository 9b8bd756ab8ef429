#!/bin/sh
bin=node_modules/.bin/esbuild
[ -x "$bin" ] || bin="$HOME/.local/lib/trueup-ci/vitest/node_modules/.bin/esbuild"
d=$(mktemp -d); trap 'rm -rf "$d"' EXIT
"$bin" src/order.ts --bundle --platform=node --format=esm --log-level=error --outfile="$d/order.mjs" || exit 1
cat > "$d/oracle.mjs" <<'EOF'
import assert from 'node:assert/strict'
import { Order } from './order.mjs'
const o = new Order()
assert.deepEqual(o.history(), [])
assert.throws(() => o.undo(), Error)
o.send('place'); o.send('pay'); o.send('ship')
assert.deepEqual(o.history(), ['place', 'pay', 'ship'])
o.history().length = 0
assert.deepEqual(o.history(), ['place', 'pay', 'ship'])
assert.equal(o.undo(), 'paid'); assert.equal(o.state, 'paid'); assert.deepEqual(o.history(), ['place', 'pay'])
assert.equal(o.undo(), 'placed'); assert.equal(o.state, 'placed')
assert.throws(() => o.send('ship'))
assert.deepEqual(o.history(), ['place'])
assert.equal(o.send('cancel'), 'cancelled')
assert.equal(o.undo(), 'placed'); assert.equal(o.can('pay'), true)
assert.equal(o.undo(), 'draft'); assert.deepEqual(o.history(), [])
assert.throws(() => o.undo(), Error); assert.equal(o.state, 'draft')
const p = new Order(); p.send('cancel')
assert.equal(p.undo(), 'draft'); assert.deepEqual(o.history(), [])
EOF
cd "$d" && env -u VITEST -u NODE_ENV node oracle.mjs
