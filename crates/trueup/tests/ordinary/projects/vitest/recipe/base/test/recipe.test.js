import { describe, expect, test } from 'vitest'
import { scale } from '../src/recipe.js'
import { expectShopping, load } from './helpers.js'

describe('scale', () => {
  test('sets the servings', () => {
    expect(scale({ servings: 2, ingredients: [] }, 6)).toEqual({ servings: 6, ingredients: [] })
  })

  test('doubles whole amounts', () => {
    expectShopping({ servings: 1, ingredients: [{ amount: '2', name: 'eggs' }] }, 2, ['4 eggs'])
  })

  test.each([
    [2, ['3/4 cups flour', '3/8 cup milk', '1 eggs']],
    [6, ['2 1/4 cups flour', '1 1/8 cup milk', '3 eggs']],
  ])('pancakes for %i', (servings, lines) => {
    expectShopping(load('pancakes'), servings, lines)
  })
})
