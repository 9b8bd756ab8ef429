import { describe, expect, test } from 'vitest'
import { amount } from '../src/amount.js'
import { formatAmount, parseAmount } from '../src/text.js'
import { load } from './helpers.js'

describe('parseAmount', () => {
  test.each(load('amounts'))('reads $text', ({ text, n, d }) => {
    expect(parseAmount(text)).toEqual({ n, d })
  })

  test.each(load('refused'))('refuses "%s"', (text) => {
    expect(() => parseAmount(text)).toThrow(RangeError)
  })
})

describe('formatAmount', () => {
  test('writes whole amounts', () => {
    expect(formatAmount(amount(8, 2))).toBe('4')
  })

  test('writes fractions', () => {
    expect(formatAmount(amount(2, 3))).toBe('2/3')
  })

  test('writes what is over one as a whole and a fraction', () => {
    expect(formatAmount(amount(3, 2))).toBe('1 1/2')
    expect(formatAmount(amount(11, 4))).toBe('2 3/4')
  })
})
