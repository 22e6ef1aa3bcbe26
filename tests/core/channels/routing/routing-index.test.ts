import { expect, test } from 'vitest'
import {
  createRoutingIndex,
  type RoutableChannel,
  type RoutingIndex,
} from '../../../../core/channels/routing/routing-index.ts'
import { seeded } from '../../../support/seeded.ts'

const CHAT = { operations: ['chat'] } as const
const RANKS = { operations: ['rerank'] } as const

function offering(id: number, fields: Partial<RoutableChannel> = {}): RoutableChannel {
  return { id, priority: 0, weight: 0, groups: ['default'], models: ['a'], type: CHAT, ...fields }
}

const GROUPS = ['default', 'vip', 'eu']
const MODELS = ['a', 'b', 'c', 'd']
const idsOf = (offers: RoutingIndex<RoutableChannel>, group: string, model: string, operation?: 'chat' | 'rerank') =>
  offers.pool(group, model, operation).tiers.map(({ candidates }) => candidates.map(({ id }) => id))

test('channels are ordered by priority and then by id, for each of their groups and models', () => {
  const offers = createRoutingIndex<RoutableChannel>()
  offers.add(offering(3, { priority: 5 }))
  offers.add(offering(1, { groups: ['default', 'vip'], models: ['a', 'b'] }))
  offers.add(offering(2, { priority: 5, type: RANKS }))

  expect(idsOf(offers, 'default', 'a')).toEqual([[2, 3], [1]])
  expect(idsOf(offers, 'default', 'a', 'chat')).toEqual([[3], [1]])
  expect(idsOf(offers, 'default', 'a', 'rerank')).toEqual([[2]])
  expect(idsOf(offers, 'vip', 'b', 'rerank')).toEqual([])
  expect(offers.models('default')).toEqual(['a', 'b'])
})

test('after thousands of changes they equal a rebuilt index', () => {
  const offers = createRoutingIndex<RoutableChannel>()
  const random = seeded(7)
  const some = (words: readonly string[]) => words.filter(() => random() < 0.5)
  const live = new Map<number, RoutableChannel>()
  for (let change = 0; change < 3000; change++) {
    const id = Math.floor(random() * 60)
    const before = live.get(id)
    if (before) offers.remove(before)
    live.delete(id)
    if (random() < 0.3) continue
    const fields = { priority: Math.floor(random() * 3), groups: some(GROUPS), models: some(MODELS) }
    const after = offering(id, { ...fields, type: random() < 0.5 ? CHAT : RANKS })
    live.set(id, after)
    offers.add(after)
    for (const model of some(MODELS)) {
      const serving = [...live.values()].filter(
        ({ groups, models, type }) => groups.includes('default') && models.includes(model) && type === CHAT,
      )
      expect(offers.pool('default', model, 'chat').size).toBe(serving.length)
    }
  }
  const rebuilt = createRoutingIndex<RoutableChannel>()
  for (const channel of live.values()) rebuilt.add(channel)

  for (const group of GROUPS) {
    expect(offers.models(group)).toEqual(rebuilt.models(group))
    for (const model of MODELS) {
      expect(offers.pool(group, model)).toEqual(rebuilt.pool(group, model))
      expect(offers.pool(group, model, 'chat')).toEqual(rebuilt.pool(group, model, 'chat'))
    }
  }
  const sorted = (map: ReadonlyMap<string, readonly string[]>) =>
    [...map].map(([model, groups]) => [model, groups.toSorted()]).sort()
  expect(sorted(offers.groupsByModel())).toEqual(sorted(rebuilt.groupsByModel()))
})

test('a change leaves the pools of other groups and models unchanged', () => {
  const offers = createRoutingIndex<RoutableChannel>()
  const moved = offering(1, { models: ['a'] })
  offers.add(moved)
  offers.add(offering(2, { models: ['a', 'b'], groups: ['default', 'vip'] }))
  const [touched, otherModel, otherGroup] = [
    offers.pool('default', 'a'),
    offers.pool('default', 'b'),
    offers.pool('vip', 'a'),
  ]
  const groups = offers.groupsByModel()

  offers.remove(moved)
  offers.add(offering(1, { models: ['a'], weight: 90 }))

  expect(offers.pool('default', 'a')).not.toBe(touched)
  expect(offers.pool('default', 'b')).toBe(otherModel)
  expect(offers.pool('vip', 'a')).toBe(otherGroup)
  expect(offers.groupsByModel()).toBe(groups)
})

test('the last channel of a model removes the model, and the last one of a group removes the group', () => {
  const offers = createRoutingIndex<RoutableChannel>()
  const [one, two] = [offering(1, { models: ['a', 'b'] }), offering(2, { groups: ['vip'] })]
  offers.add(one)
  offers.add(two)
  expect([...offers.groupsByModel()]).toEqual([
    ['a', ['default', 'vip']],
    ['b', ['default']],
  ])

  offers.remove(one)
  expect(offers.models('default')).toEqual([])
  expect([offers.has('a'), offers.has('b')]).toEqual([true, false])
  offers.remove(two)
  expect(offers.has('a')).toBe(false)
  expect([...offers.groupsByModel()]).toEqual([])
})

test('removing an unknown object changes nothing', () => {
  const offers = createRoutingIndex<RoutableChannel>()
  offers.add(offering(1))
  offers.remove(offering(1))
  offers.remove(offering(2, { groups: ['no-such-group'] }))

  expect(idsOf(offers, 'default', 'a')).toEqual([[1]])
})
