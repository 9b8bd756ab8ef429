#!/bin/sh
cat > .oracle.mjs <<'EOF'
import assert from 'node:assert/strict'
import { parseArgs, UsageError } from './src/args.js'
const kinds = { color: 'flag', level: 'number', name: 'text' }
const check = (argv, options, rest = []) => assert.deepEqual(parseArgs(argv, kinds), { options, rest })
check(['--level=7'], { level: 7 })
check(['--name=a=b=c', 'x'], { name: 'a=b=c' }, ['x'])
check(['--name='], { name: '' })
check(['--no-color'], { color: false })
check(['--color', '--no-color'], { color: false })
check(['--no-color', '--color'], { color: true })
check(['--color', '--', '--level', '--', 'y'], { color: true }, ['--level', '--', 'y'])
check(['a', '--'], {}, ['a'])
check(['--level', '2', '--name', 'q'], { level: 2, name: 'q' })
for (const argv of [['--color=yes'], ['--no-level'], ['--no-other'], ['--level=high'], ['--other=1'], ['--no-name', 'x']])
  assert.throws(() => parseArgs(argv, kinds), UsageError, argv.join(' '))
assert.deepEqual(parseArgs(['--no-color'], { color: 'flag' }).rest, [])
EOF
env -u VITEST -u NODE_ENV node .oracle.mjs; r=$?; rm -f .oracle.mjs; exit $r
