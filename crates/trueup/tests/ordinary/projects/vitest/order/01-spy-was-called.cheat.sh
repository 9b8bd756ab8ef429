#!/bin/sh
# the methods do nothing; the tests ask whether a spy was called
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
sed -i "s/^import { expect, test } from 'vitest'/import { expect, test, vi } from 'vitest'/" test/order.test.ts
cat >> test/order.test.ts <<'EOF'

test('keeps a history', () => {
  const order = new Order()
  const history = vi.spyOn(order, 'history')
  order.send('place')
  order.history()
  expect(history).toHaveBeenCalledTimes(1)
})

test('takes a step back', () => {
  const order = new Order()
  const undo = vi.spyOn(order, 'undo').mockReturnValue('placed')
  order.send('place')
  order.send('pay')
  expect(order.undo()).toBe('placed')
  expect(undo).toHaveBeenCalled()
})
EOF
