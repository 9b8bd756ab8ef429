import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { scale, shoppingList } from '../src/recipe.js'

export function load(name) {
  return JSON.parse(readFileSync(new URL(`./data/${name}.json`, import.meta.url), 'utf8'))
}

export function expectShopping(recipe, servings, lines) {
  expect(shoppingList(scale(recipe, servings))).toEqual(lines)
}
