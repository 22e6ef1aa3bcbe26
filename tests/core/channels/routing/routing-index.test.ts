import { expect, test } from 'vitest'
import {
  createRoutingIndex,
  type RoutableChannel,
  type RoutingIndex,
} from '../../../../core/channels/routing/routing-index.ts'
import { seeded } from '../../../support/seeded.ts'

const CHAT = { operations: ['chat'] } as const
const RERANK = { operations: ['rerank'] } as const

function routableChannel(id: number, fields: Partial<RoutableChannel> = {}): RoutableChannel {
  return { id, priority: 0, weight: 0, groups: ['default'], models: ['a'], type: CHAT, ...fields }
}

const GROUPS = ['default', 'vip', 'eu']
const MODELS = ['a', 'b', 'c', 'd']
const idsOf = (index: RoutingIndex<RoutableChannel>, group: string, model: string, operation?: 'chat' | 'rerank') =>
  index.pool(group, model, operation).tiers.map(({ candidates }) => candidates.map(({ id }) => id))

test('channels are ordered by priority and then by id, for each of their groups and models', () => {
  const index = createRoutingIndex<RoutableChannel>()
  index.add(routableChannel(3, { priority: 5 }))
  index.add(routableChannel(1, { groups: ['default', 'vip'], models: ['a', 'b'] }))
  index.add(routableChannel(2, { priority: 5, type: RERANK }))

  expect(idsOf(index, 'default', 'a')).toEqual([[2, 3], [1]])
  expect(idsOf(index, 'default', 'a', 'chat')).toEqual([[3], [1]])
  expect(idsOf(index, 'default', 'a', 'rerank')).toEqual([[2]])
  expect(idsOf(index, 'vip', 'b', 'rerank')).toEqual([])
  expect(index.models('default')).toEqual(['a', 'b'])
})

test('after thousands of changes an index equals a rebuilt one', () => {
  const index = createRoutingIndex<RoutableChannel>()
  const random = seeded(7)
  const randomSubset = (words: readonly string[]) => words.filter(() => random() < 0.5)
  const live = new Map<number, RoutableChannel>()
  for (let change = 0; change < 3000; change++) {
    const id = Math.floor(random() * 60)
    const before = live.get(id)
    if (before) index.remove(before)
    live.delete(id)
    if (random() < 0.3) continue
    const fields = { priority: Math.floor(random() * 3), groups: randomSubset(GROUPS), models: randomSubset(MODELS) }
    const after = routableChannel(id, { ...fields, type: random() < 0.5 ? CHAT : RERANK })
    live.set(id, after)
    index.add(after)
    for (const model of randomSubset(MODELS)) {
      const serving = [...live.values()].filter(
        ({ groups, models, type }) => groups.includes('default') && models.includes(model) && type === CHAT,
      )
      expect(index.pool('default', model, 'chat').size).toBe(serving.length)
    }
  }
  const rebuilt = createRoutingIndex<RoutableChannel>()
  for (const channel of live.values()) rebuilt.add(channel)

  for (const group of GROUPS) {
    expect(index.models(group)).toEqual(rebuilt.models(group))
    for (const model of MODELS) {
      expect(index.pool(group, model)).toEqual(rebuilt.pool(group, model))
      expect(index.pool(group, model, 'chat')).toEqual(rebuilt.pool(group, model, 'chat'))
    }
  }
  const sorted = (map: ReadonlyMap<string, readonly string[]>) =>
    [...map].map(([model, groups]) => [model, groups.toSorted()]).sort()
  expect(sorted(index.groupsByModel())).toEqual(sorted(rebuilt.groupsByModel()))
})

test('a change leaves the pools of other groups and models unchanged', () => {
  const index = createRoutingIndex<RoutableChannel>()
  const changedChannel = routableChannel(1, { models: ['a'] })
  index.add(changedChannel)
  index.add(routableChannel(2, { models: ['a', 'b'], groups: ['default', 'vip'] }))
  const [changedPool, otherModel, otherGroup] = [
    index.pool('default', 'a'),
    index.pool('default', 'b'),
    index.pool('vip', 'a'),
  ]
  const groups = index.groupsByModel()

  index.remove(changedChannel)
  index.add(routableChannel(1, { models: ['a'], weight: 90 }))

  expect(index.pool('default', 'a')).not.toBe(changedPool)
  expect(index.pool('default', 'b')).toBe(otherModel)
  expect(index.pool('vip', 'a')).toBe(otherGroup)
  expect(index.groupsByModel()).toBe(groups)
})

test('removing the last channel of a model or group removes that model or group', () => {
  const index = createRoutingIndex<RoutableChannel>()
  const [one, two] = [routableChannel(1, { models: ['a', 'b'] }), routableChannel(2, { groups: ['vip'] })]
  index.add(one)
  index.add(two)
  expect([...index.groupsByModel()]).toEqual([
    ['a', ['default', 'vip']],
    ['b', ['default']],
  ])

  index.remove(one)
  expect(index.models('default')).toEqual([])
  expect([index.has('a'), index.has('b')]).toEqual([true, false])
  index.remove(two)
  expect(index.has('a')).toBe(false)
  expect([...index.groupsByModel()]).toEqual([])
})

test('removing a channel object that was not added changes nothing, even with the id of an added one', () => {
  const index = createRoutingIndex<RoutableChannel>()
  index.add(routableChannel(1))
  index.remove(routableChannel(1))
  index.remove(routableChannel(2, { groups: ['no-such-group'] }))

  expect(idsOf(index, 'default', 'a')).toEqual([[1]])
})
