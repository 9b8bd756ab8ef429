import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { columns, renderTable } from '../src/table'

const stock = [
  { item: 'lamp', count: 4, price: 19.5 },
  { item: 'screwdriver', count: 120, price: 7 },
]

const scores = [
  { team: 'red', points: 9 },
  { team: 'blue', points: 112 },
]

describe('renderTable', () => {
  test('text columns', () => {
    expect(renderTable([{ from: 'here', to: 'there' }])).toBe('from  to\n----  -----\nhere  there')
  })

  test('stock', () => {
    expect(renderTable(stock)).toMatchSnapshot()
  })

  test('scores', () => {
    const expected = readFileSync(new URL('./expected/scores.txt', import.meta.url), 'utf8')
    expect(renderTable(scores) + '\n').toBe(expected)
  })
})

describe('columns', () => {
  test('are those of the first row', () => {
    expect(columns(stock)).toEqual(['item', 'count', 'price'])
    expect(columns([])).toEqual([])
  })
})
