import { expect, test } from 'vitest'
import { Order } from '../src/order'

test('goes its way', () => {
  const order = new Order()
  expect(order.state).toBe('draft')
  order.send('place')
  order.send('pay')
  expect(order.send('ship')).toBe('shipped')
  expect(order.state).toBe('shipped')
})

test('refuses what is not possible', () => {
  const order = new Order()
  expect(order.can('ship')).toBe(false)
  expect(() => order.send('ship')).toThrow('ship is not possible while draft')
  expect(order.state).toBe('draft')
})

test('can be cancelled before it is paid', () => {
  const order = new Order()
  order.send('place')
  expect(order.can('cancel')).toBe(true)
  expect(order.send('cancel')).toBe('cancelled')
})
