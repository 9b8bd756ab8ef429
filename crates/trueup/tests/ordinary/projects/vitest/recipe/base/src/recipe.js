import { amount, times } from './amount.js'
import { formatAmount, parseAmount } from './text.js'

/** The same recipe for another number of people. */
export function scale(recipe, servings) {
  const factor = amount(servings, recipe.servings)
  const ingredients = recipe.ingredients.map((item) => ({
    ...item,
    amount: formatAmount(times(parseAmount(item.amount), factor)),
  }))
  return { ...recipe, servings, ingredients }
}

export function shoppingList(recipe) {
  return recipe.ingredients.map(({ amount, unit, name }) => [amount, unit, name].filter(Boolean).join(' '))
}
