import { expect, test } from 'vitest'
import { testChannel } from '../../../server/relay/channel-test.ts'
import { withoutSecrets } from '../../../server/relay/providers/failure.ts'
import { charges, otherOf } from '../../support/books.ts'
import { ask, expectRefusal } from '../../support/chat.ts'
import { MODEL, openTestRelay } from '../../support/gateway.ts'
import { completion, type Exchange, sendJson, usage } from '../../support/hand-made-upstream.ts'

const KEYS = ['first-secret-key', 'second-secret-key', 'third-secret-key']
const setting = (multi_key_mode: string) => JSON.stringify({ multi_key_mode })
const keyOf = ({ headers }: Exchange) => headers.authorization?.replace('Bearer ', '')
const works = (exchange: Exchange) => sendJson(exchange, completion('ok', usage(5, 5)))

const openShop = async (answer: (exchange: Exchange) => unknown, mode = 'polling') => {
  const world = await openTestRelay(answer, { channel: { key: KEYS.join('\n'), setting: setting(mode) } })
  const directory = await world.toolkit.channelDirectory()
  return { ...world, live: () => directory.find(world.servedBy.id), seenKeys: () => world.upstream.seen.map(keyOf) }
}

test('requests use the keys by turns, and the log tells administrators which one', async () => {
  const world = await openShop(works)
  for (let turn = 0; turn < 4; turn++) expect((await world.chat(ask(MODEL))).status).toBe(200)

  expect(world.seenKeys()).toEqual([...KEYS, KEYS[0]])
  const names = world.live()?.ring?.all.map(({ keyName }) => keyName) ?? []
  expect(names.map(({ index }) => index)).toEqual([1, 2, 3])
  const logged = (await charges(world)).map((log) => otherOf(log).admin_info)
  expect(logged).toEqual([...names, names[0]].map((key) => ({ use_channel: [String(world.servedBy.id)], key })))
  const { items } = await world.toolkit.logs.list(world.person, {})
  expect(JSON.stringify(items)).not.toContain('admin_info')
})

test('a key that is set aside is used no more, until it is brought back', async () => {
  const world = await openShop(works)
  const digest = world.live()?.ring?.all[1]?.keyName.digest ?? ''
  await world.toolkit.channels.disableKeyAutomatically(world.root, world.servedBy.id, digest, 'invalid')
  for (let turn = 0; turn < 3; turn++) await world.chat(ask(MODEL))
  expect(world.seenKeys()).toEqual([KEYS[0], KEYS[2], KEYS[0]])

  await world.toolkit.channels.enableKeyAutomatically(world.root, world.servedBy.id, digest)
  for (let turn = 0; turn < 3; turn++) await world.chat(ask(MODEL))
  expect(world.seenKeys().slice(3)).toEqual(KEYS)
})

test('one conversation uses one key where its beginning is cached, and the conversations share the keys', async () => {
  const world = await openShop(works, 'random')
  const second = { key: KEYS.join('\n'), setting: setting('random'), base_url: world.upstream.url, models: MODEL }
  await world.channel(second)
  await world.toolkit.options.set(world.root, 'CacheRatio', JSON.stringify({ [MODEL]: 0.1 }))
  const used = new Set<string | undefined>()
  for (let conversation = 0; conversation < 12; conversation++) {
    const name = { prompt_cache_key: `conversation ${conversation}` }
    for (let turn = 0; turn < 3; turn++) await world.chat({ ...ask(MODEL), ...name })
    const keys = new Set(world.seenKeys().slice(-3))
    expect(keys.size).toBe(1)
    for (const key of keys) used.add(key)
  }

  expect(used.size).toBeGreaterThan(1)
})

test('an upstream that repeats keys, of whatever turn, tells none of them', async () => {
  const world = await openShop((exchange) =>
    sendJson(exchange, { error: { message: `not ${KEYS.join(', not ')}`, type: 'x', code: KEYS[2] } }, 401),
  )
  const answer = await world.chat(ask(MODEL))

  expectRefusal(answer, { status: 401, code: '***' })
  expect(answer.text).not.toMatch(/secret-key/)
  expect(answer.text).toContain('not ***, not ***, not ***')
})

test('all keys go from an upstream’s words, also those that begin like others or are parts of them', () => {
  const keys = ['abcdefghij|1234567890', 'abcdefgh', 'abcdefghijkl', 'xyz9']
  const channel = { key: 'abcdefgh', ring: { mode: 'random' as const, all: [], usable: [], texts: keys, turn: 0 } }
  const said = 'no: abcdefghijkl, abcdefgh, 1234567890, abcdefghij|1234567890, xyz9, xyz99'
  expect(withoutSecrets(said, channel)).toBe('no: ***, ***, ***, ***, ***, xyz99')
})

test('a channel test uses the first key that can be used, or the one that is named, set aside or not', async () => {
  const world = await openShop(works)
  const { toolkit, root, servedBy } = world
  const [first, , third] = world.live()?.ring?.all.map(({ keyName }) => keyName.digest) ?? []
  await toolkit.channels.disableKeyAutomatically(root, servedBy.id, first ?? '', 'invalid')

  await testChannel(toolkit, root, servedBy.id)
  await testChannel(toolkit, root, servedBy.id, { key: first })
  await testChannel(toolkit, root, servedBy.id, { key: third })

  expect(world.seenKeys()).toEqual([KEYS[1], KEYS[0], KEYS[2]])
  await expect(testChannel(toolkit, root, servedBy.id, { key: 'unknown' })).rejects.toMatchObject({
    code: 'CHANNEL_KEY_UNKNOWN',
  })
})
