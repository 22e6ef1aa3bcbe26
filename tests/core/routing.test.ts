import { expect, test } from 'vitest'
import { type Candidate, pickChannel } from '../../core/channels/routing.ts'
import { seeded } from '../support/seeded.ts'

const DRAWS = 100_000
const candidate = (id: number, weight: number, priority = 0): Candidate => ({ id, weight, priority })

test('each channel of a tier is drawn in proportion to its weight plus ten, within two percent', () => {
  const candidates = [candidate(1, 0), candidate(2, 10), candidate(3, 30), candidate(4, 90)]
  const random = seeded(1)
  const drawn = new Map<number, number>()
  for (let draw = 0; draw < DRAWS; draw++) {
    const id = pickChannel(candidates, new Set(), random())?.id ?? 0
    drawn.set(id, (drawn.get(id) ?? 0) + 1)
  }

  for (const { id, weight } of candidates) {
    const share = (DRAWS * (weight + 10)) / 170
    expect(Math.abs((drawn.get(id) ?? 0) - share) / share).toBeLessThan(0.02)
  }
})

test('a tier is exhausted before the next lower one, and no channel is drawn twice', () => {
  const candidates = [
    candidate(1, 5, 9),
    candidate(2, 500, 9),
    candidate(3, 0, 9),
    candidate(4, 999, 1),
    candidate(5, 0, 1),
  ]
  const random = seeded(2)
  for (let relay = 0; relay < 1000; relay++) {
    const tried = new Set<number>()
    const order: number[] = []
    for (let next = pickChannel(candidates, tried, random()); next; next = pickChannel(candidates, tried, random())) {
      tried.add(next.id)
      order.push(next.id)
    }
    expect(order.slice(0, 3).sort()).toEqual([1, 2, 3])
    expect(order.slice(3).sort()).toEqual([4, 5])
  }
})

test('the ends of the range draw the first and the last; nothing left draws nothing', () => {
  const candidates = [candidate(1, 0), candidate(2, 0)]
  expect(pickChannel(candidates, new Set(), 0)?.id).toBe(1)
  expect(pickChannel(candidates, new Set(), 1 - Number.EPSILON)?.id).toBe(2)
  expect(pickChannel(candidates, new Set([1, 2]), 0.5)).toBeUndefined()
  expect(pickChannel([], new Set(), 0.5)).toBeUndefined()
})
