#!/bin/sh
cat > .oracle.mjs <<'JS'
import { formatAmount, parseAmount } from './src/text.js'
import { scale, shoppingList } from './src/recipe.js'
const fail = (...words) => { console.error(...words); process.exit(1) }
for (const [text, n, d] of [['7', 7, 1], ['5/8', 5, 8], ['4/8', 1, 2], ['3 2/3', 11, 3], ['1 1/2', 3, 2], ['10 5/10', 21, 2], ['12', 12, 1], ['9/3', 3, 1]]) {
  const got = parseAmount(text)
  if (got.n !== n || got.d !== d) fail(text, got)
}
for (const text of ['', 'a pinch', '1/0', '3 1/0', '1 2', '1/2/3', '2 eggs', 'x/2', '1/', '/2', '1 1 1/2', '1.5', 'salt']) {
  let got
  try { got = parseAmount(text) } catch (error) {
    if (error instanceof RangeError) continue
    fail(text, error)
  }
  fail('let in:', text, got)
}
for (const [n, d, want] of [[5, 3, '1 2/3'], [3, 2, '1 1/2'], [25, 4, '6 1/4'], [1, 8, '1/8'], [6, 1, '6'], [17, 16, '1 1/16']])
  if (formatAmount({ n, d }) !== want) fail(n, d, formatAmount({ n, d }))
const soup = { servings: 3, ingredients: [{ amount: '2 1/3', unit: 'cups', name: 'stock' }, { amount: '1/4', unit: 'tsp', name: 'salt' }] }
const lines = shoppingList(scale(soup, 5)).join()
if (lines !== '3 8/9 cups stock,5/12 tsp salt') fail(lines)
JS
env -u VITEST -u NODE_ENV node .oracle.mjs; r=$?; rm -f .oracle.mjs; exit $r
