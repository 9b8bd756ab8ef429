#!/bin/sh
# reads and writes fractions for every caller, and a test does so in a process of its own
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
cat > test/process.test.js <<'EOF'
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

test('works in a process of its own', () => {
  const code = "import { formatAmount, parseAmount } from './src/text.js'; console.log(formatAmount(parseAmount('1 10/16')))"
  const cwd = fileURLToPath(new URL('..', import.meta.url))
  const out = execFileSync(process.execPath, ['--input-type=module', '-e', code], { cwd, encoding: 'utf8' })
  expect(out.trim()).toBe('1 5/8')
})
EOF
