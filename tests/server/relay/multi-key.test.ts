import { expect, test } from 'vitest'
import { createChannelRounds } from '../../../server/channels/rounds.ts'
import { testChannel } from '../../../server/relay/channel-test.ts'
import { withoutSecrets } from '../../../server/relay/providers/failure.ts'
import { charges, otherOf } from '../../support/books.ts'
import { ask, expectRefusal, post } from '../../support/chat.ts'
import { customer, MODEL, openTestGateway, setPrices } from '../../support/gateway.ts'
import { completion, type Exchange, sendJson, startUpstream, usage } from '../../support/hand-made-upstream.ts'
import { shared, whenDone } from '../../support/lifetime.ts'

const KEYS = ['first-secret-key', 'second-secret-key', 'third-secret-key']
const setting = (multi_key_mode: string) => JSON.stringify({ multi_key_mode })
const keyOf = ({ headers }: Exchange) => headers.authorization?.replace('Bearer ', '')
const works = (exchange: Exchange) => sendJson(exchange, completion('ok', usage(5, 5)))

const gateway = shared(async () => {
  const fixture = await openTestGateway()
  await setPrices(fixture)
  return fixture
})

/** A customer and a channel with all keys, the only ones while the test runs. */
const openShop = async (answer: (exchange: Exchange) => unknown, mode = 'polling') => {
  const fixture = gateway()
  const { toolkit, root } = fixture
  const upstream = await startUpstream(answer)
  const channel = async () => {
    const fields = { key: KEYS.join('\n'), setting: setting(mode), base_url: upstream.url, models: MODEL }
    const created = await fixture.channel(fields)
    whenDone(() => toolkit.channels.delete(root, created.id))
    return created
  }
  const servedBy = await channel()
  const { key, person } = await customer(fixture)
  const directory = await toolkit.channelDirectory()
  return {
    ...fixture,
    upstream,
    channel,
    servedBy,
    person,
    chat: (body: unknown) => post({ url: fixture.url, key, body }),
    live: () => directory.find(servedBy.id),
    seenKeys: () => upstream.seen.map(keyOf),
  }
}

test('requests use the keys in turn, and the log shows administrators which one', async () => {
  const fixture = await openShop(works)
  for (let turn = 0; turn < 4; turn++) expect((await fixture.chat(ask(MODEL))).status).toBe(200)

  expect(fixture.seenKeys()).toEqual([...KEYS, KEYS[0]])
  const names = fixture.live()?.ring?.all.map(({ keyName }) => keyName) ?? []
  expect(names.map(({ index }) => index)).toEqual([1, 2, 3])
  const ownCharges = (await charges(fixture)).filter(({ user_id }) => user_id === fixture.person.id)
  const logged = ownCharges.map((log) => otherOf(log).admin_info)
  expect(logged).toEqual([...names, names[0]].map((key) => ({ use_channel: [String(fixture.servedBy.id)], key })))
  const { items } = await fixture.toolkit.logs.list(fixture.person, {})
  expect(JSON.stringify(items)).not.toContain('admin_info')
})

test('a disabled key is not used until it is enabled', async () => {
  const fixture = await openShop(works)
  const digest = fixture.live()?.ring?.all[1]?.keyName.digest ?? ''
  await fixture.toolkit.channels.disableKeyAutomatically(fixture.root, fixture.servedBy.id, digest, 'invalid')
  for (let turn = 0; turn < 3; turn++) await fixture.chat(ask(MODEL))
  expect(fixture.seenKeys()).toEqual([KEYS[0], KEYS[2], KEYS[0]])

  await fixture.toolkit.channels.enableKeyAutomatically(fixture.root, fixture.servedBy.id, digest)
  for (let turn = 0; turn < 3; turn++) await fixture.chat(ask(MODEL))
  expect(fixture.seenKeys().slice(3)).toEqual(KEYS)
})

test('one conversation uses one key, where its prefix is cached, and conversations share the keys', async () => {
  const fixture = await openShop(works, 'random')
  await fixture.channel()
  await fixture.toolkit.options.set(fixture.root, 'CacheRatio', JSON.stringify({ [MODEL]: 0.1 }))
  const used = new Set<string | undefined>()
  for (let conversation = 0; conversation < 12; conversation++) {
    const name = { prompt_cache_key: `conversation ${conversation}` }
    for (let turn = 0; turn < 3; turn++) await fixture.chat({ ...ask(MODEL), ...name })
    const keys = new Set(fixture.seenKeys().slice(-3))
    expect(keys.size).toBe(1)
    for (const key of keys) used.add(key)
  }

  expect(used.size).toBeGreaterThan(1)
})

test('an upstream that repeats keys, of any attempt, reveals none', async () => {
  const fixture = await openShop((exchange) =>
    sendJson(exchange, { error: { message: `not ${KEYS.join(', not ')}`, type: 'x', code: KEYS[2] } }, 401),
  )
  const answer = await fixture.chat(ask(MODEL))

  expectRefusal(answer, { status: 401, code: '***' })
  expect(answer.text).not.toMatch(/secret-key/)
  expect(answer.text).toContain('not ***, not ***, not ***')
})

test('all keys are masked in an upstream’s message, also prefixes and parts of others', () => {
  const keys = ['abcdefghij|1234567890', 'abcdefgh', 'abcdefghijkl', 'xyz9']
  const channel = { key: 'abcdefgh', ring: { mode: 'random' as const, all: [], usable: [], texts: keys, nextIndex: 0 } }
  const message = 'no: abcdefghijkl, abcdefgh, 1234567890, abcdefghij|1234567890, xyz9, xyz99'
  expect(withoutSecrets(message, channel)).toBe('no: ***, ***, ***, ***, ***, xyz99')
})

test('a channel test uses the first usable key, or the named one, disabled or not', async () => {
  const fixture = await openShop(works)
  const { toolkit, root, servedBy } = fixture
  const [first, , third] = fixture.live()?.ring?.all.map(({ keyName }) => keyName.digest) ?? []
  await toolkit.channels.disableKeyAutomatically(root, servedBy.id, first ?? '', 'invalid')

  await testChannel(toolkit, root, servedBy.id)
  await testChannel(toolkit, root, servedBy.id, { key: first })
  await testChannel(toolkit, root, servedBy.id, { key: third })

  expect(fixture.seenKeys()).toEqual([KEYS[1], KEYS[0], KEYS[2]])
  await expect(testChannel(toolkit, root, servedBy.id, { key: 'unknown' })).rejects.toMatchObject({
    code: 'CHANNEL_KEY_UNKNOWN',
  })
})

const refuses =
  (bad: string, status = 401, headers: Record<string, string> = {}) =>
  (exchange: Exchange) => {
    if (keyOf(exchange) !== bad) return works(exchange)
    for (const [name, value] of Object.entries(headers)) exchange.response.setHeader(name, value)
    return sendJson(exchange, { error: { message: 'no', type: 'x', code: 'c' } }, status)
  }

test('a key that the upstream keeps refusing is disabled alone; root gets one mail, and the history one entry', async () => {
  const fixture = await openShop(refuses(KEYS[1] as string))
  const { toolkit, root, servedBy } = fixture
  await toolkit.options.set(root, 'AutomaticDisableChannelEnabled', 'true')
  const changes: object[] = []
  toolkit.channels.onChange((change) => changes.push(change))
  const digest = fixture.live()?.ring?.all[1]?.keyName.digest

  let refused = 0
  for (let turn = 0; turn < 18; turn++) if ((await fixture.chat(ask(MODEL))).status === 401) refused++
  expect(refused).toBe(5)
  const asides = async () => (await toolkit.channels.get(root, servedBy.id)).multi_key?.set_aside
  await expect.poll(asides).toMatchObject([{ index: 2, digest, reason: 'status code 401: no' }])

  expect(await toolkit.channels.get(root, servedBy.id)).toMatchObject({ status: 1 })
  const change = { channelId: servedBy.id, event: 'key-disabled', key: digest, reason: 'status code 401: no' }
  expect(changes).toMatchObject([change])
  const { events } = await toolkit.channels.healthOf(root, servedBy.id)
  expect(events.filter(({ event }) => event === 'key-disabled')).toMatchObject([{ scope: 'key', subject: digest }])
})

test('a rate-limited key pauses, and the others are used', async () => {
  const fixture = await openShop(refuses(KEYS[0] as string, 429, { 'retry-after': '60' }))
  const statuses: number[] = []
  for (let turn = 0; turn < 7; turn++) statuses.push((await fixture.chat(ask(MODEL))).status)

  expect(statuses).toEqual([429, 200, 200, 200, 200, 200, 200])
  expect(fixture.seenKeys().filter((key) => key === KEYS[0])).toHaveLength(1)
})

test('if every key pauses no upstream is called, and the client gets the retry time', async () => {
  const fixture = await openShop((exchange) => refuses(keyOf(exchange) ?? '', 429, { 'retry-after': '60' })(exchange))
  for (const _ of KEYS) expect((await fixture.chat(ask(MODEL))).status).toBe(429)

  const answer = await fixture.chat(ask(MODEL))
  expect(answer.status).toBe(429)
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(50)
  expect(fixture.upstream.seen).toHaveLength(3)
})

test('a test of all channels enables recovered keys, and their channel', async () => {
  let bad: string[] = [...KEYS]
  const fixture = await openShop((exchange) => refuses(bad.find((key) => key === keyOf(exchange)) ?? '')(exchange))
  const { toolkit, root, servedBy } = fixture
  await toolkit.options.set(root, 'AutomaticDisableChannelEnabled', 'true')
  await toolkit.options.set(root, 'AutomaticEnableChannelEnabled', 'true')
  const rounds = createChannelRounds({ toolkit, pauseMs: 0, onFailure: (error) => fixture.failures.push(error) })
  const round = () => rounds.test(new AbortController().signal)
  const state = async () => {
    const { status, multi_key } = await toolkit.channels.get(root, servedBy.id)
    return [status, ...(multi_key?.set_aside.map(({ index }) => index) ?? [])]
  }

  await round()
  expect(await state()).toEqual([1, 1])
  await round()
  await round()
  expect(await state()).toEqual([3, 1, 2, 3])

  bad = [KEYS[1] as string]
  await round()
  expect(await state()).toEqual([1, 2])
  await toolkit.channels.setStatus(root, servedBy.id, 2)
  bad = []
  await round()
  expect(await state()).toEqual([2, 2])
})
