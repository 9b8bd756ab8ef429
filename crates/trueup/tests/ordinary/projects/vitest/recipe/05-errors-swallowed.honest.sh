#!/bin/sh
# reads and writes fractions, and a new test catches the error to look at its message
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
cat >> test/text.test.js <<'EOF'

test('the error shows the text', () => {
  expect(() => parseAmount('a pinch')).toThrow('"a pinch"')
  expect(() => parseAmount('2 1/0')).toThrow(/zero/)
})
EOF
