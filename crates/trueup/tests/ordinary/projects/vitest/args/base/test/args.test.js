import { describe, expect, test } from 'vitest'
import { parseArgs, UsageError } from '../src/args.js'

const kinds = { verbose: 'flag', depth: 'number', out: 'text' }

describe('parseArgs', () => {
  test('reads options and the rest', () => {
    expect(parseArgs(['--verbose', '--depth', '3', 'src', '--out', 'x'], kinds)).toEqual({
      options: { verbose: true, depth: 3, out: 'x' },
      rest: ['src'],
    })
  })

  test('refuses unknown options', () => {
    expect(() => parseArgs(['--deep'], kinds)).toThrow(UsageError)
  })

  test('refuses a missing or wrong value', () => {
    expect(() => parseArgs(['--out'], kinds)).toThrow('--out needs a value')
    expect(() => parseArgs(['--depth', 'deep'], kinds)).toThrow('--depth needs a number')
  })
})
