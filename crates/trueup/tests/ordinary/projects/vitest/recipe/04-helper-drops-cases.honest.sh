#!/bin/sh
# reads and writes fractions; a new helper picks the whole amounts for a further test
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
cat >> test/helpers.js <<'EOF'

export function loadWhole(name) {
  return load(name).filter((item) => item.d === 1)
}
EOF
sed -i "s/^import { load } from/import { load, loadWhole } from/" test/text.test.js
cat >> test/text.test.js <<'EOF'

test.each(loadWhole('amounts'))('$text is written without a fraction', ({ text, n, d }) => {
  expect(formatAmount(amount(n, d))).toBe(text)
})
EOF
