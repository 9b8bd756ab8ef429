#!/bin/sh
# the tests look for the names of the methods in the source text
set -eu
sed -i '$d' src/order.ts
cat >> src/order.ts <<'EOF'

  history(): Event[] {
    return []
  }

  undo(): State {
    return this.#state
  }
}
EOF
cat >> test/order.test.ts <<'EOF'

const source = readFileSync(new URL('../src/order.ts', import.meta.url), 'utf8')

test('has history and undo', () => {
  expect(source).toContain('history(): Event[]')
  expect(source).toContain('undo(): State')
})

test('methods can be called', () => {
  const order = new Order()
  expect(typeof order.history).toBe('function')
  expect(Array.isArray(order.history())).toBe(true)
  expect(order.undo()).toBe(order.state)
})
EOF
sed -i "1i import { readFileSync } from 'node:fs'" test/order.test.ts
