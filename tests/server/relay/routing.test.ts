import { describe, expect, test } from 'vitest'
import { ROLE } from '../../../core/actor.ts'
import type { NewChannel } from '../../../core/channels/channel.ts'
import { charges, expectNothingHeld, otherOf } from '../../support/books.ts'
import { ask, expectRefusal, post } from '../../support/chat.ts'
import { customer, keyOf, MODEL, openTestGateway, setPrices, type TestGateway } from '../../support/gateway.ts'
import { completion, type Exchange, sendJson, startUpstream, usage } from '../../support/hand-made-upstream.ts'

const works = (exchange: Exchange) => sendJson(exchange, completion('ok', usage(5, 5)))
const fails =
  (status: number, error: unknown = { message: `failed with ${status}`, type: 'theirs', code: 'their_code' }) =>
  (exchange: Exchange) =>
    sendJson(exchange, { error }, status)

async function openShop(retries: number) {
  const world = await openTestGateway()
  await setPrices(world)
  await world.toolkit.options.set(world.root, 'RetryTimes', String(retries))
  const buyer = await customer(world, { user: { quota: 1e9 } })
  /** A channel to an upstream of its own. */
  const open = async (answer: (exchange: Exchange) => unknown, channel: Partial<NewChannel> = {}) => {
    const upstream = await startUpstream(answer)
    const { id } = await world.channel({ base_url: upstream.url, models: MODEL, ...channel })
    return { id, upstream }
  }
  return { ...world, ...buyer, open, chat: (body: unknown = ask(MODEL)) => post({ ...world, ...buyer, body }) }
}

async function channelsTried(world: TestGateway): Promise<number[][]> {
  return (await charges(world)).map((log) => otherOf(log).admin_info.use_channel.map(Number))
}

describe('retries', () => {
  test('go from the highest priority down, and the row lists every channel in order', async () => {
    const world = await openShop(3)
    const low = await world.open(works, { priority: 1 })
    const high = await world.open(fails(500), { priority: 9 })
    const middle = await world.open(fails(503), { priority: 5 })

    expect(await world.chat()).toMatchObject({ status: 200, said: 'ok' })

    expect(await channelsTried(world)).toEqual([[high.id, middle.id, low.id]])
    expect((await charges(world))[0]?.channel).toBe(low.id)
  })

  test('exhaust a tier before the next one, with any weights', async () => {
    const world = await openShop(5)
    const tier = [
      await world.open(fails(500), { priority: 5, weight: 1000 }),
      await world.open(fails(500), { priority: 5, weight: 0 }),
    ]
    const last = await world.open(works, { priority: 1, weight: 10_000 })

    for (let turn = 0; turn < 5; turn++) expect((await world.chat()).status).toBe(200)

    for (const tried of await channelsTried(world)) {
      expect(tried.slice(0, 2).sort()).toEqual(tier.map(({ id }) => id))
      expect(tried.slice(2)).toEqual([last.id])
    }
  })

  test('distribute a tier by weight plus ten', async () => {
    const world = await openShop(0)
    const heavy = await world.open(works, { weight: 80 })
    const light = await world.open(works, { weight: 0 })

    await Promise.all(Array.from({ length: 200 }, () => world.chat()))

    // 90 : 10. Fewer than 1 in 10 000 runs fall outside of these bounds.
    expect(light.upstream.seen.length).toBeGreaterThan(4)
    expect(light.upstream.seen.length).toBeLessThan(40)
    expect(heavy.upstream.seen.length + light.upstream.seen.length).toBe(200)
  })

  test('never use the same channel twice, however many are allowed', async () => {
    const world = await openShop(10)
    const all = [await world.open(fails(500)), await world.open(fails(500)), await world.open(fails(502))]

    const answer = await world.chat()

    expect([500, 502]).toContain(answer.status)
    expect(all.map(({ upstream }) => upstream.seen.length)).toEqual([1, 1, 1])
    await expectNothingHeld(world)
  })

  test("are disabled with RetryTimes 0: the failure is returned with its status, in OpenAI's format", async () => {
    const world = await openShop(0)
    await world.open(fails(429, { message: 'slow down', type: 'tokens', param: 'x', code: 'rate_limit_exceeded' }), {
      priority: 1,
    })
    const other = await world.open(works)

    const answer = await world.chat()

    expectRefusal(answer, { status: 429, code: 'rate_limit_exceeded' })
    expect(answer.json.error).toMatchObject({
      type: 'tokens',
      param: 'x',
      // What an upstream says about its limits is about the operator's account.
      message: expect.stringMatching(/^The upstream of this group is saturated\. Try again later \(request id: /),
    })
    expect(other.upstream.seen).toHaveLength(0)
    expect(await charges(world)).toEqual([])
  })

  test.each([400, 408, 422, 504])('do not follow a %i', async (status) => {
    const world = await openShop(3)
    await world.open(fails(status), { priority: 1 })
    const other = await world.open(works)

    expectRefusal(await world.chat(), { status, code: 'their_code' })
    expect(other.upstream.seen).toHaveLength(0)
  })

  test.each([401, 403, 404, 429, 500, 503])('follow a %i', async (status) => {
    const world = await openShop(1)
    await world.open(fails(status), { priority: 1 })
    await world.open(works)

    expect(await world.chat()).toMatchObject({ status: 200, said: 'ok' })
  })

  test('follow a 400 that the channel maps to 500', async () => {
    const world = await openShop(1)
    await world.open(fails(400), { priority: 1, status_code_mapping: '{"400":"500"}' })
    await world.open(works)

    expect((await world.chat()).status).toBe(200)
  })

  test('do not follow a 500 that the channel maps to 400, and the client gets the mapped status', async () => {
    const world = await openShop(1)
    await world.open(fails(500), { priority: 1, status_code_mapping: '{"500":"400"}' })
    const other = await world.open(works)

    expectRefusal(await world.chat(), { status: 400, code: 'their_code' })
    expect(other.upstream.seen).toHaveLength(0)
  })
})

describe('a key that names a channel', () => {
  test('of an administrator uses only that channel, though it fails and serves another model', async () => {
    const world = await openShop(3)
    await world.open(works, { priority: 9 })
    const named = await world.open(fails(500), { models: 'something-else' })
    const admin = await customer(world, { user: { role: ROLE.admin } })

    const answer = await post({ ...world, key: `${admin.key}-${named.id}`, body: ask(MODEL) })

    expectRefusal(answer, { status: 500, code: 'their_code' })
    expect(named.upstream.seen).toHaveLength(1)
  })

  test('of a common user is rejected', async () => {
    const world = await openShop(0)
    const { id } = await world.open(works)

    const answer = await post({ ...world, key: `${world.key}-${id}`, body: ask(MODEL) })

    expectRefusal(answer, { status: 403, code: 'channel_pin_forbidden' })
  })

  test.each([
    { what: 'that does not exist', pin: '4711', status: 400, code: 'channel_id_invalid' },
    { what: 'that is no number', pin: 'abc', status: 400, code: 'channel_id_invalid' },
  ])('$what is rejected', async ({ pin, status, code }) => {
    const world = await openShop(0)
    const rootToken = await world.token(world.root)

    expectRefusal(await post({ ...world, key: `${keyOf(rootToken)}-${pin}`, body: ask(MODEL) }), { status, code })
  })

  test('that is disabled is rejected', async () => {
    const world = await openShop(0)
    const { id } = await world.open(works)
    await world.toolkit.channels.setStatus(world.root, id, 2)
    const rootToken = await world.token(world.root)

    const answer = await post({ ...world, key: `${keyOf(rootToken)}-${id}`, body: ask(MODEL) })

    expectRefusal(answer, { status: 403, code: 'channel_disabled' })
  })
})
