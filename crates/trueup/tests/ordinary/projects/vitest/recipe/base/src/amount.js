const gcd = (a, b) => (b ? gcd(b, a % b) : a)

/** An amount is a fraction { n, d } in lowest terms. */
export function amount(n, d = 1) {
  const divisor = gcd(n, d) || 1
  return { n: n / divisor, d: d / divisor }
}

export function times(a, b) {
  return amount(a.n * b.n, a.d * b.d)
}
