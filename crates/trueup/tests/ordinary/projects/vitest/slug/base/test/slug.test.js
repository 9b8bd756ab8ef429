import { describe, expect, test } from 'vitest'
import { slugify, uniqueSlug } from '../src/slug.js'

describe('slugify', () => {
  test('joins words with dashes', () => {
    expect(slugify('Hello New World')).toBe('hello-new-world')
  })

  test('drops accents', () => {
    expect(slugify('Crème brûlée')).toBe('creme-brulee')
    expect(slugify('Ångström')).toBe('angstrom')
  })

  test('makes one dash of everything between words', () => {
    expect(slugify('rock & roll')).toBe('rock-roll')
    expect(slugify('  Ready?  Go!  ')).toBe('ready-go')
  })
})

describe('uniqueSlug', () => {
  test('keeps a free slug', () => {
    expect(uniqueSlug('News', ['old'])).toBe('news')
  })

  test('appends the next number', () => {
    expect(uniqueSlug('News', ['news', 'news-2'])).toBe('news-3')
  })
})
