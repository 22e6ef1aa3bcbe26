import { describe, expect, test } from 'vitest'
import { type Candidate, EMPTY_POOL, type Pool, pickChannel, poolOf } from '../../core/channels/routing/routing.ts'
import { seeded } from '../support/seeded.ts'

const DRAWS = 100_000
const candidate = (id: number, weight: number, priority = 0): Candidate => ({ id, weight, priority })
const all = () => true

/** How often each channel is drawn, by its id. */
function drawnFrom(pool: Pool<Candidate>, may: (candidate: Candidate) => boolean, seed: number): Map<number, number> {
  const random = seeded(seed)
  const drawn = new Map<number, number>()
  for (let draw = 0; draw < DRAWS; draw++) {
    const id = pickChannel(pool, may, random)?.id ?? 0
    drawn.set(id, (drawn.get(id) ?? 0) + 1)
  }
  return drawn
}

function expectShares(drawn: ReadonlyMap<number, number>, among: readonly Candidate[]): void {
  const sum = among.reduce((total, { weight }) => total + weight + 10, 0)
  expect([...drawn.keys()].sort()).toEqual(among.map(({ id }) => id).sort())
  for (const { id, weight } of among) {
    const share = (DRAWS * (weight + 10)) / sum
    expect(Math.abs((drawn.get(id) ?? 0) - share) / share).toBeLessThan(0.02)
  }
}

describe('each channel of a tier is chosen in proportion to its weight plus ten, within two percent,', () => {
  const candidates = [candidate(1, 0), candidate(2, 10), candidate(3, 30), candidate(4, 90)]

  test('if all are allowed', () => {
    expectShares(drawnFrom(poolOf(candidates), all, 1), candidates)
  })

  test('and the others divide the share of an unavailable one', () => {
    const left = candidates.filter(({ id }) => id !== 4)
    expectShares(
      drawnFrom(poolOf(candidates), ({ id }) => id !== 4, 2),
      left,
    )
  })

  test('also if hundreds are unavailable and one is available', () => {
    const crowd = Array.from({ length: 500 }, (_, index) => candidate(index + 1, 50))
    const left = [candidate(501, 0), candidate(502, 10), candidate(503, 30)]
    expectShares(
      drawnFrom(poolOf([...crowd, ...left]), ({ id }) => id > 500, 3),
      left,
    )
  })
})

test('a tier is exhausted before the next lower one, and no channel is chosen twice', () => {
  const tiers = [
    Array.from({ length: 40 }, (_, index) => candidate(index + 1, index * 7, 9)),
    Array.from({ length: 3 }, (_, index) => candidate(index + 101, 9999, 1)),
    [candidate(201, 10 ** 9, -1)],
  ]
  const pool = poolOf(tiers.toReversed().flat())
  const random = seeded(4)
  for (let relay = 0; relay < 200; relay++) {
    const order: Candidate[] = []
    const may = (asked: Candidate) => !order.includes(asked)
    for (let next = pickChannel(pool, may, random); next; next = pickChannel(pool, may, random)) order.push(next)
    expect(order.map(({ priority }) => priority)).toEqual([...Array(40).fill(9), 1, 1, 1, -1])
  }
})

test('repeated random numbers repeat the choices, in any order of the candidates', () => {
  const candidates = Array.from({ length: 30 }, (_, index) => candidate(index + 1, index))
  const choicesFrom = (pool: Pool<Candidate>) => {
    const random = seeded(5)
    const order: number[] = []
    for (let turn = 0; turn < 10; turn++)
      order.push(pickChannel(pool, ({ id }) => !order.includes(id), random)?.id ?? 0)
    return order
  }

  expect(choicesFrom(poolOf(candidates.toReversed()))).toEqual(choicesFrom(poolOf(candidates)))
})

test('the ends of the range choose the first and the last; an empty list chooses nothing', () => {
  const pool = poolOf([candidate(1, 0), candidate(2, 0)])
  expect(pickChannel(pool, all, () => 0)?.id).toBe(1)
  expect(pickChannel(pool, all, () => 1 - Number.EPSILON)?.id).toBe(2)
  expect(
    pickChannel(
      pool,
      () => false,
      () => 0.5,
    ),
  ).toBeUndefined()
  expect(pickChannel(EMPTY_POOL, all, () => 0.5)).toBeUndefined()
})
