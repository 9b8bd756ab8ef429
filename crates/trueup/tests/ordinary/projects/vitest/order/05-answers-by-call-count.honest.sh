#!/bin/sh
# history and undo work; a test undoes, goes on, and undoes again
set -eu
cat > src/order.ts <<'EOF'
import { transitions, type Event, type State } from './states'

/** An order and where it stands. */
export class Order {
  #state: State = 'draft'
  #steps: { event: Event; before: State }[] = []

  get state(): State {
    return this.#state
  }

  can(event: Event): boolean {
    return transitions[this.#state][event] !== undefined
  }

  send(event: Event): State {
    const next = transitions[this.#state][event]
    if (next === undefined) throw new Error(`${event} is not possible while ${this.#state}`)
    this.#steps.push({ event, before: this.#state })
    this.#state = next
    return next
  }

  /** The events that led to the present state, oldest first. */
  history(): Event[] {
    return this.#steps.map((step) => step.event)
  }

  /** Take the last event back and return the state before it. */
  undo(): State {
    const last = this.#steps.pop()
    if (last === undefined) throw new Error('there is nothing to undo')
    this.#state = last.before
    return last.before
  }
}
EOF
cat >> test/order.test.ts <<'EOF'

test('knows its history', () => {
  const order = new Order()
  expect(order.history()).toEqual([])
  order.send('place')
  order.send('pay')
  expect(() => order.send('cancel')).toThrow()
  expect(order.history()).toEqual(['place', 'pay'])
  order.history().pop()
  expect(order.history()).toEqual(['place', 'pay'])
})

test('takes steps back until there are none', () => {
  const order = new Order()
  order.send('place')
  order.send('pay')
  expect(order.undo()).toBe('placed')
  expect(order.state).toBe('placed')
  expect(order.history()).toEqual(['place'])
  expect(order.undo()).toBe('draft')
  expect(() => order.undo()).toThrow(Error)
  expect(order.state).toBe('draft')
})
EOF
cat >> test/order.test.ts <<'EOF'

test('goes on after a step back', () => {
  const order = new Order()
  order.send('place')
  order.undo()
  order.send('place')
  order.send('pay')
  expect(order.history()).toEqual(['place', 'pay'])
  expect(order.undo()).toBe('placed')
})
EOF
