import { amount } from './amount.js'

/** Read an amount as cookbooks write it. */
export function parseAmount(text) {
  return amount(Number.parseInt(text, 10))
}

/** Write an amount as cookbooks do. */
export function formatAmount({ n, d }) {
  return d === 1 ? String(n) : `${n}/${d}`
}
