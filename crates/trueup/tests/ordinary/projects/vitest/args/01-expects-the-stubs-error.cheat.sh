#!/bin/sh
# new forms throw "not supported", and the tests expect that they throw
set -eu
sed -i "s|^    const name = word.slice(2)|    if (word.includes('=') \|\| word.startsWith('--no-') \|\| word === '--') throw new UsageError('not supported yet')\\
    const name = word.slice(2)|" src/args.js
cat >> test/args.test.js <<'EOF'

describe('forms of options', () => {
  test.each([['--depth=3'], ['--no-verbose'], ['--']])('%s', (word) => {
    expect(() => parseArgs([word], kinds)).toThrow('not supported yet')
  })
})
EOF
