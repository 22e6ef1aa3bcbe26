import { describe, expect, test } from 'vitest'
import { ROLE } from '../../../core/actor.ts'
import type { NewChannel } from '../../../core/channels/channel.ts'
import { charges, expectNothingHeld, otherOf } from '../../support/books.ts'
import { ask, expectRefusal, post } from '../../support/chat.ts'
import { customer, keyOf, MODEL, setPrices, type TestGateway } from '../../support/gateway.ts'
import { completion, type Exchange, sendJson, startUpstream, usage } from '../../support/hand-made-upstream.ts'
import { reused } from '../../support/reused.ts'

const openGateway = reused()

const works = (exchange: Exchange) => sendJson(exchange, completion('ok', usage(5, 5)))
const fails =
  (status: number, error: unknown = { message: `failed with ${status}`, type: 'theirs', code: 'their_code' }) =>
  (exchange: Exchange) =>
    sendJson(exchange, { error }, status)

async function openShop(retries: number) {
  const fixture = await openGateway()
  await setPrices(fixture)
  await fixture.toolkit.options.set(fixture.root, 'RetryTimes', String(retries))
  const buyer = await customer(fixture, { user: { quota: 1e9 } })
  /** A channel to an upstream of its own. */
  const open = async (answer: (exchange: Exchange) => unknown, channel: Partial<NewChannel> = {}) => {
    const upstream = await startUpstream(answer)
    const { id } = await fixture.channel({ base_url: upstream.url, models: MODEL, ...channel })
    return { id, upstream }
  }
  return { ...fixture, ...buyer, open, chat: (body: unknown = ask(MODEL)) => post({ ...fixture, ...buyer, body }) }
}

async function channelsTried(fixture: TestGateway): Promise<number[][]> {
  return (await charges(fixture)).map((log) => otherOf(log).admin_info.use_channel.map(Number))
}

describe('retries', () => {
  test('go from the highest priority down, and the row lists every channel in order', async () => {
    const fixture = await openShop(3)
    const low = await fixture.open(works, { priority: 1 })
    const high = await fixture.open(fails(500), { priority: 9 })
    const middle = await fixture.open(fails(503), { priority: 5 })

    expect(await fixture.chat()).toMatchObject({ status: 200, content: 'ok' })

    expect(await channelsTried(fixture)).toEqual([[high.id, middle.id, low.id]])
    expect((await charges(fixture))[0]?.channel).toBe(low.id)
  })

  test('exhaust a tier before the next one, with any weights', async () => {
    const fixture = await openShop(5)
    const tier = [
      await fixture.open(fails(500), { priority: 5, weight: 1000 }),
      await fixture.open(fails(500), { priority: 5, weight: 0 }),
    ]
    const last = await fixture.open(works, { priority: 1, weight: 10_000 })

    for (let turn = 0; turn < 5; turn++) expect((await fixture.chat()).status).toBe(200)

    for (const tried of await channelsTried(fixture)) {
      expect(tried.slice(0, 2).sort()).toEqual(tier.map(({ id }) => id))
      expect(tried.slice(2)).toEqual([last.id])
    }
  })

  test('distribute a tier by weight plus ten', async () => {
    const fixture = await openShop(0)
    const heavy = await fixture.open(works, { weight: 80 })
    const light = await fixture.open(works, { weight: 0 })

    await Promise.all(Array.from({ length: 200 }, () => fixture.chat()))

    // 90 : 10. Fewer than 1 in 10 000 runs fall outside of these bounds.
    expect(light.upstream.seen.length).toBeGreaterThan(4)
    expect(light.upstream.seen.length).toBeLessThan(40)
    expect(heavy.upstream.seen.length + light.upstream.seen.length).toBe(200)
  })

  test('never use the same channel twice, however many are allowed', async () => {
    const fixture = await openShop(10)
    const all = [await fixture.open(fails(500)), await fixture.open(fails(500)), await fixture.open(fails(502))]

    const answer = await fixture.chat()

    expect([500, 502]).toContain(answer.status)
    expect(all.map(({ upstream }) => upstream.seen.length)).toEqual([1, 1, 1])
    await expectNothingHeld(fixture)
  })

  test("are disabled with RetryTimes 0: the failure is returned with its status, in OpenAI's format", async () => {
    const fixture = await openShop(0)
    await fixture.open(fails(429, { message: 'slow down', type: 'tokens', param: 'x', code: 'rate_limit_exceeded' }), {
      priority: 1,
    })
    const other = await fixture.open(works)

    const answer = await fixture.chat()

    expectRefusal(answer, { status: 429, code: 'rate_limit_exceeded' })
    expect(answer.json.error).toMatchObject({
      type: 'tokens',
      param: 'x',
      // What an upstream says about its limits is about the operator's account.
      message: expect.stringMatching(/^The upstream of this group is saturated\. Try again later \(request id: /),
    })
    expect(other.upstream.seen).toHaveLength(0)
    expect(await charges(fixture)).toEqual([])
  })

  test.each([400, 408, 422, 504])('do not follow a %i', async (status) => {
    const fixture = await openShop(3)
    await fixture.open(fails(status), { priority: 1 })
    const other = await fixture.open(works)

    expectRefusal(await fixture.chat(), { status, code: 'their_code' })
    expect(other.upstream.seen).toHaveLength(0)
  })

  test.each([401, 403, 404, 429, 500, 503])('follow a %i', async (status) => {
    const fixture = await openShop(1)
    await fixture.open(fails(status), { priority: 1 })
    await fixture.open(works)

    expect(await fixture.chat()).toMatchObject({ status: 200, content: 'ok' })
  })

  test('follow a 400 that the channel maps to 500', async () => {
    const fixture = await openShop(1)
    await fixture.open(fails(400), { priority: 1, status_code_mapping: '{"400":"500"}' })
    await fixture.open(works)

    expect((await fixture.chat()).status).toBe(200)
  })

  test('do not follow a 500 that the channel maps to 400, and the client gets the mapped status', async () => {
    const fixture = await openShop(1)
    await fixture.open(fails(500), { priority: 1, status_code_mapping: '{"500":"400"}' })
    const other = await fixture.open(works)

    expectRefusal(await fixture.chat(), { status: 400, code: 'their_code' })
    expect(other.upstream.seen).toHaveLength(0)
  })
})

describe('a key that names a channel', () => {
  test('of an administrator uses only that channel, though it fails and serves another model', async () => {
    const fixture = await openShop(3)
    await fixture.open(works, { priority: 9 })
    const named = await fixture.open(fails(500), { models: 'something-else' })
    const admin = await customer(fixture, { user: { role: ROLE.admin } })

    const answer = await post({ ...fixture, key: `${admin.key}-${named.id}`, body: ask(MODEL) })

    expectRefusal(answer, { status: 500, code: 'their_code' })
    expect(named.upstream.seen).toHaveLength(1)
  })

  test('of a common user is rejected', async () => {
    const fixture = await openShop(0)
    const { id } = await fixture.open(works)

    const answer = await post({ ...fixture, key: `${fixture.key}-${id}`, body: ask(MODEL) })

    expectRefusal(answer, { status: 403, code: 'channel_pin_forbidden' })
  })

  test.each([
    { what: 'that does not exist', pin: '4711', status: 400, code: 'channel_id_invalid' },
    { what: 'that is no number', pin: 'abc', status: 400, code: 'channel_id_invalid' },
    { what: 'that is zero', pin: '0', status: 400, code: 'channel_id_invalid' },
  ])('$what is rejected', async ({ pin, status, code }) => {
    const fixture = await openShop(0)
    const rootToken = await fixture.token(fixture.root)

    expectRefusal(await post({ ...fixture, key: `${keyOf(rootToken)}-${pin}`, body: ask(MODEL) }), { status, code })
  })

  test('that is disabled is rejected', async () => {
    const fixture = await openShop(0)
    const { id } = await fixture.open(works)
    await fixture.toolkit.channels.setStatus(fixture.root, id, 2)
    const rootToken = await fixture.token(fixture.root)

    const answer = await post({ ...fixture, key: `${keyOf(rootToken)}-${id}`, body: ask(MODEL) })

    expectRefusal(answer, { status: 403, code: 'channel_disabled' })
  })
})
