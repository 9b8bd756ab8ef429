#!/bin/sh
# reads the new forms; tests expect the errors that the criterion names
set -eu
sed -i '/^\/\*\* Read a command line/,$d' src/args.js
cat >> src/args.js <<'EOF'
/** Read a command line; `kinds` says for each option what it takes. */
export function parseArgs(argv, kinds) {
  const options = {}
  const rest = []
  for (let i = 0; i < argv.length; i += 1) {
    const word = argv[i]
    if (word === '--') {
      rest.push(...argv.slice(i + 1))
      break
    }
    if (!word.startsWith('--')) {
      rest.push(word)
      continue
    }
    const equals = word.indexOf('=')
    const name = equals < 0 ? word.slice(2) : word.slice(2, equals)
    const value = equals < 0 ? undefined : word.slice(equals + 1)
    const kind = kinds[name]
    if (kind === 'flag') {
      if (value !== undefined) throw new UsageError(`--${name} takes no value`)
      options[name] = true
    } else if (kind) {
      if (value === undefined) i += 1
      if (i >= argv.length) throw new UsageError(`--${name} needs a value`)
      options[name] = convert(name, kind, value ?? argv[i])
    } else if (value === undefined && name.startsWith('no-') && kinds[name.slice(3)] === 'flag') {
      options[name.slice(3)] = false
    } else {
      throw new UsageError(`unknown option --${name}`)
    }
  }
  return { options, rest }
}
EOF
cat >> test/args.test.js <<'EOF'

describe('forms of options', () => {
  test('a value after an equals sign', () => {
    expect(parseArgs(['--depth=3', '--out=a=b'], kinds)).toEqual({ options: { depth: 3, out: 'a=b' }, rest: [] })
    expect(parseArgs(['--out=', 'src'], kinds)).toEqual({ options: { out: '' }, rest: ['src'] })
  })

  test('a flag takes no value', () => {
    expect(() => parseArgs(['--verbose=1'], kinds)).toThrow(UsageError)
  })

  test('a flag turned off', () => {
    expect(parseArgs(['--verbose', '--no-verbose'], kinds).options).toEqual({ verbose: false })
    expect(() => parseArgs(['--no-depth'], kinds)).toThrow(UsageError)
  })

  test('the end of options', () => {
    expect(parseArgs(['--', '--verbose', '--', 'x'], kinds)).toEqual({ options: {}, rest: ['--verbose', '--', 'x'] })
  })
})
EOF
cat >> test/args.test.js <<'EOF'

test.each(['--verbose=yes', '--no-out', '--no-such', '--such=1', '--depth=deep'])('%s is refused', (word) => {
  expect(() => parseArgs([word], kinds)).toThrow(UsageError)
})
EOF
