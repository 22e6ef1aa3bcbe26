import { expect, test } from 'vitest'
import { channelWithKey, chooseKey, keyDigest, withRing } from '../../../../core/channels/keys/key-ring.ts'
import type { LiveChannel } from '../../../../core/channels/routing/directory.ts'
import type { DisabledKeys } from '../../../../core/channels/settings/other-info.ts'
import { liveChannel } from '../../../support/ask.ts'
import { seeded } from '../../../support/seeded.ts'

const secrets = { digest: (text: string) => Buffer.from(text).toString('hex').padEnd(64, '0') }
const digest = (key: string) => keyDigest(secrets, key)
const all = () => true
const aside = (...keys: string[]): DisabledKeys =>
  Object.fromEntries(keys.map((key) => [digest(key), { status: 3 as const, reason: 'x', time: 1 }]))

const ringOf = (mode: 'random' | 'polling', keys: string, disabledKeys: DisabledKeys = {}): LiveChannel =>
  withRing(liveChannel(1, { key: keys }), { mode, disabledKeys, secrets })

test('in round-robin mode, each key is used equally often; unavailable ones are skipped', () => {
  const channel = ringOf('polling', 'k1\nk2\nk3')
  const turns = (count: number, may: (digest: string) => boolean) =>
    Array.from({ length: count }, () => chooseKey(channel, may, Math.random)?.key)

  expect(turns(4, all)).toEqual(['k1', 'k2', 'k3', 'k1'])
  expect(turns(3, (one) => one !== digest('k2'))).toEqual(['k3', 'k1', 'k3'])
  expect(turns(2, all)).toEqual(['k1', 'k2'])
  expect(turns(1, () => false)).toEqual([undefined])
})

test('in random mode, each key has the same share, and the share of an unavailable one is divided', () => {
  const channel = ringOf('random', Array.from({ length: 20 }, (_, index) => `k${index}`).join('\n'))
  const share = (may: (digest: string) => boolean) => {
    const random = seeded(3)
    const drawn = new Map<string, number>()
    for (let draw = 0; draw < 20_000; draw++) {
      const key = chooseKey(channel, may, random)?.key ?? 'none'
      drawn.set(key, (drawn.get(key) ?? 0) + 1)
    }
    return drawn
  }
  const [k7, k9] = [digest('k7'), digest('k9')]

  expect([...share(all).values()].every((count) => Math.abs(count - 1000) < 150)).toBe(true)
  const two = share((one) => one === k7 || one === k9)
  expect([...two.keys()].sort()).toEqual(['k7', 'k9'])
  expect(Math.abs((two.get('k7') ?? 0) - 10_000)).toBeLessThan(500)
  expect([...share(() => false)]).toEqual([['none', 20_000]])
})

test('the same random numbers choose the same key', () => {
  const channel = ringOf('random', 'k1\nk2\nk3\nk4\nk5')
  const keys = [1, 2].map(() => chooseKey(channel, all, seeded(9))?.key)
  expect(keys[0]).toBe(keys[1])
})

test('disabled keys are not chosen, unless none is left; they keep their number', () => {
  const channel = ringOf('polling', 'k1\nk2\nk3', aside('k1', 'k3'))
  expect(chooseKey(channel, all, Math.random)?.keyName).toEqual({ digest: digest('k2'), index: 2 })
  expect(chooseKey(channel, all, Math.random)?.key).toBe('k2')
  expect(channelWithKey(channel, digest('k3'))).toMatchObject({ key: 'k3', keyName: { index: 3 } })
  expect(channelWithKey(channel, digest('k4'))).toBeUndefined()

  const none = ringOf('polling', 'k1\nk2', aside('k1', 'k2'))
  expect([1, 2].map(() => chooseKey(none, all, Math.random)?.key)).toEqual(['k1', 'k2'])
})

test('the channel itself has the first usable key, for single requests such as its list of models', () => {
  const channel = ringOf('random', 'k1\nk2', aside('k1'))
  expect(channel.key).toBe('k2')
  expect(channel.keyName).toBeUndefined()
})

test('a channel with one key always uses it, even if states of keys are stored', () => {
  const channel = liveChannel(1)
  expect(chooseKey(channel, () => false, Math.random)).toBe(channel)
})

test('a document is one key like any other', () => {
  const account = '{\n  "type": "service_account",\n  "private_key": "x"\n}'
  const { ring } = ringOf('polling', `${account}\nsk-1`)
  expect(ring?.all.map(({ key }) => key)).toEqual([account, 'sk-1'])
})
