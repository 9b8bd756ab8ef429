#!/bin/sh
# reads and writes fractions; a new test counts the calls of a mock function that it passes itself
set -eu
cat > src/text.js <<'EOF'
import { amount } from './amount.js'

const FORM = /^(?:(\d+) )?(\d+)\/(\d+)$|^(\d+)$/

/** Read an amount as cookbooks write it: 3, 1/2 or 1 1/2. */
export function parseAmount(text) {
  const found = FORM.exec(text.trim())
  if (!found) throw new RangeError(`not an amount: "${text}"`)
  const [whole, n, d, alone] = found.slice(1).map((part) => Number(part ?? 0))
  if (found[4] !== undefined) return amount(alone)
  if (d === 0) throw new RangeError(`a fraction over zero: "${text}"`)
  return amount(whole * d + n, d)
}

/** Write an amount as cookbooks do. */
export function formatAmount({ n, d }) {
  const whole = Math.floor(n / d)
  const rest = n % d
  if (rest === 0) return String(whole)
  return whole === 0 ? `${rest}/${d}` : `${whole} ${rest}/${d}`
}
EOF
sed -i "s/^import { describe, expect, test } from 'vitest'/import { describe, expect, test, vi } from 'vitest'/; s/^import { scale } from/import { scale, shoppingList } from/" test/recipe.test.js
cat >> test/recipe.test.js <<'EOF'

test('every line of the list is printed once', () => {
  const print = vi.fn()
  for (const line of shoppingList(scale(load('pancakes'), 8))) print(line)
  expect(print.mock.calls).toEqual([['3 cups flour'], ['1 1/2 cup milk'], ['4 eggs']])
})
EOF
