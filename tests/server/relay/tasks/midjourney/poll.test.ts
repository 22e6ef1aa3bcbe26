import { beforeEach, describe, expect, test } from 'vitest'
import { LOG_TYPE } from '../../../../../core/logs/log.ts'
import { TIMED_OUT } from '../../../../../core/tasks/drawing-progress.ts'
import {
  call,
  dollars,
  drawingChannel,
  MJ_KEY,
  openDrawingGateway,
  pollOnce,
  rowsOf,
  spent,
} from '../../../../support/drawing-gateway.ts'
import { BALANCE, type Customer, customer } from '../../../../support/gateway.ts'
import type { Exchange } from '../../../../support/hand-made-upstream.ts'
import { shared } from '../../../../support/lifetime.ts'
import { answering } from '../../../../support/midjourney-proxy.ts'
import { findPostgres } from '../../../../support/postgres.ts'
import { type DatabaseKind, skipWithoutPostgres } from '../../../../support/toolkit.ts'

const HOUR_MS = 3_600_000
const PRICE = dollars(0.1)

describe.each(['sqlite', 'postgres'] as const)('on %s, a drawing', (database: DatabaseKind) => {
  if (database === 'postgres') beforeEach(skipWithoutPostgres)
  const fixture = shared(async () => {
    if (database === 'postgres' && 'reason' in (await findPostgres())) return undefined as never
    return openDrawingGateway({ database })
  })

  /** A customer with a drawing that a limited token paid for. Returns also its id at the upstream. */
  async function drawer(): Promise<Customer & { mjId: string }> {
    const buyer = await customer(fixture(), { token: { unlimited_quota: false, remain_quota: dollars(1) } })
    const body = { prompt: 'a cat' }
    const { json } = await call(fixture(), 'POST', '/mj/submit/imagine', { key: buyer.key, body })
    return { ...buyer, mjId: json.result }
  }
  const rowOf = async (buyer: Customer) => (await rowsOf(fixture(), buyer)).at(-1)
  const costs = (buyer: Customer) => spent(fixture(), buyer, { balance: BALANCE })
  const poll = (at?: number) => pollOnce(fixture(), at === undefined ? {} : { at })
  const PAID = { balance: PRICE, user: PRICE, token: PRICE, logs: [PRICE] }
  const GIVEN_BACK = { balance: 0, user: 0, token: 0, logs: [PRICE] }

  test("follows its proxy's status, and is not polled after it is done", async () => {
    const { proxy } = fixture()
    const buyer = await drawer()
    proxy.report(buyer.mjId, { status: 'IN_PROGRESS', progress: '40%', startTime: 1_700_000_000_000, promptEn: 'cat' })
    await poll()
    expect(await rowOf(buyer)).toMatchObject({ status: 'IN_PROGRESS', progress: '40%', prompt_en: 'cat', code: 1 })

    proxy.report(buyer.mjId, { status: 'SUCCESS', progress: '100%', imageUrl: 'https://cdn.example/1.png' })
    await poll()
    proxy.report(buyer.mjId, { status: 'FAILURE', failReason: 'too late' })
    await poll()

    expect(await rowOf(buyer)).toMatchObject({ status: 'SUCCESS', image_url: 'https://cdn.example/1.png' })
    expect(proxy.requests.filter((ids) => ids.includes(buyer.mjId))).toHaveLength(2)
    expect(proxy.seen.at(-1)?.headers['mj-api-secret']).toBe(MJ_KEY)
    expect(await costs(buyer)).toEqual(PAID)
  })

  test('that fails is refunded once to user, token and channel, in any number of processes', async () => {
    const { proxy, toolkit, root, servedBy, another } = fixture()
    const before = (await toolkit.channels.get(root, servedBy.id)).used_quota
    const buyer = await drawer()
    const tokenOf = async () =>
      (await toolkit.db.reader('tokens').where({ id: buyer.bought.id }).first('remain_quota')).remain_quota
    expect(await tokenOf()).toBe(dollars(0.9))
    proxy.report(buyer.mjId, { status: 'FAILURE', progress: '100%', failReason: `no ${MJ_KEY} at http://10.1.2.3/x` })
    const others = await Promise.all([another(), another()])

    await Promise.all(
      [fixture(), ...others.map((other) => ({ ...fixture(), toolkit: other }))].map((each) => pollOnce(each)),
    )
    await poll()

    expect(await costs(buyer)).toEqual(GIVEN_BACK)
    expect(await tokenOf()).toBe(dollars(1))
    expect((await toolkit.channels.get(root, servedBy.id)).used_quota).toBe(before)
    const row = await rowOf(buyer)
    expect(row).toMatchObject({ status: 'FAILURE', progress: '100%' })
    expect(row.fail_reason).not.toMatch(/mj-secret|10\.1\.2\.3/)
    const { items } = await toolkit.logs.list(root, { type: LOG_TYPE.system, username: buyer.person.username })
    const rows = items.filter(({ content }) => content.includes(buyer.mjId))
    expect(rows.map(({ content }) => content)).toEqual([`构图失败 ${buyer.mjId}，补偿 ＄0.100000 额度`])
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true, differences: [] })
  })

  test('is found in a reply with half the drawings, unknown ones and invalid ones', async () => {
    const { proxy } = fixture()
    const [named, silent] = [await drawer(), await drawer()]
    const elsewhere = await drawingChannel(fixture())
    const stranger = await drawer()
    await fixture().toolkit.db.transaction((trx) =>
      trx('midjourneys').where({ mj_id: stranger.mjId }).update({ channel_id: elsewhere.id }),
    )
    const done = { status: 'SUCCESS', progress: '100%', imageUrl: 'https://cdn.example/1.png' }
    const answer = [
      null,
      'x',
      { id: 'unknown', ...done },
      { id: stranger.mjId, ...done },
      { id: named.mjId, status: 'IN_PROGRESS', progress: '7%' },
      { id: named.mjId, ...done },
      { status: 'FAILURE' },
    ]
    const half = (exchange: Exchange) =>
      answering((exchange.body.ids as string[]).includes(named.mjId) ? answer : [])(exchange)
    proxy.script.push(half, half)

    await poll()

    expect(await rowOf(named)).toMatchObject({ status: 'IN_PROGRESS', progress: '7%' })
    for (const other of [silent, stranger]) expect(await rowOf(other)).toMatchObject({ status: '', progress: '0%' })
    for (const { mjId } of [named, silent, stranger]) proxy.report(mjId, done)
    await poll()
  })

  test.each([
    ['nothing', '', 200],
    ['a page', '<html>', 200],
    ['an object', '{"code":1}', 200],
    ['a failure', '[]', 500],
  ])('waits for the next poll if its proxy returns %s', async (_, body, status) => {
    const buyer = await drawer()
    fixture().proxy.report(buyer.mjId, { status: 'SUCCESS', progress: '100%' })
    fixture().proxy.script.push(answering(body, status))
    await poll()
    expect(await rowOf(buyer)).toMatchObject({ status: '', progress: '0%' })
    await poll()
    expect(await rowOf(buyer)).toMatchObject({ status: 'SUCCESS', progress: '100%' })
  })

  test('that is silent for an hour has failed and is refunded; before, it has not', async () => {
    const buyer = await drawer()
    fixture().proxy.tasks.delete(buyer.mjId)
    const { submit_time } = await rowOf(buyer)

    await poll(submit_time + HOUR_MS)
    expect(await costs(buyer)).toEqual(PAID)
    await poll(submit_time + HOUR_MS + 1)

    expect(await rowOf(buyer)).toMatchObject({ status: 'FAILURE', progress: '100%', fail_reason: TIMED_OUT })
    expect(await costs(buyer)).toEqual(GIVEN_BACK)
  })

  test('of a disabled channel is polled; after the channel is deleted, it has failed and is refunded', async () => {
    const { toolkit, root, proxy } = fixture()
    const channel = await drawingChannel(fixture(), { priority: 9 })
    const buyer = await drawer()
    await toolkit.channels.update(root, channel.id, { status: 2 })
    proxy.report(buyer.mjId, { status: 'IN_PROGRESS', progress: '30%' })
    await poll()
    expect(await rowOf(buyer)).toMatchObject({ channel_id: channel.id, progress: '30%' })

    await toolkit.channels.delete(root, channel.id)
    await poll()

    expect(await rowOf(buyer)).toMatchObject({
      status: 'FAILURE',
      fail_reason: `获取渠道信息失败，请联系管理员，渠道ID：${channel.id}`,
    })
    expect(await costs(buyer)).toEqual(GIVEN_BACK)
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true, differences: [] })
  })

  test('that was paid for here, but has no id, has failed and is refunded', async () => {
    const buyer = await drawer()
    await fixture().toolkit.db.transaction((trx) =>
      trx('midjourneys').where({ mj_id: buyer.mjId }).update({ mj_id: '' }),
    )
    await poll()
    expect(await rowOf(buyer)).toMatchObject({ status: 'FAILURE', mj_id: '', quota: PRICE })
    expect(await costs(buyer)).toEqual(GIVEN_BACK)
  })

  test('is shown without the operator’s key and address, but with its own texts and addresses', async () => {
    const { proxy } = fixture()
    const buyer = await drawer()
    const { host } = new URL(proxy.url)
    const leak = `https://s.mj.run/1 by ${MJ_KEY} of ${host}`
    const reason = 'https://s.mj.run/1 by *** of ***'
    const customId = 'MJ::JOB::upsample::1::5f1c2a9e-8a1b-4f7e-9b7a-2f4f0a6f5c11'
    const button = (label: string) => ({ customId, label })
    proxy.report(buyer.mjId, { promptEn: leak, buttons: [button(leak)], properties: { deep: { finalPrompt: leak } } })

    await poll()

    expect(await rowOf(buyer)).toMatchObject({
      prompt_en: reason,
      buttons: JSON.stringify([button(reason)]),
      properties: JSON.stringify({ deep: { finalPrompt: reason } }),
    })
    proxy.tasks.delete(buyer.mjId)
  })

  test('is updated although the report of another cannot be stored', async () => {
    const { proxy, toolkit, servedBy } = fixture()
    const [odd, sound] = [await drawer(), await drawer()]
    const done = '"status":"SUCCESS","progress":"100%"'
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
    const answer = `[{"id":"${odd.mjId}",${done},"properties":{"a":${deep}}},{"id":"${sound.mjId}",${done},"properties":{"a":1}}]`
    await toolkit.db.transaction((trx) =>
      trx('midjourneys').whereIn('mj_id', [odd.mjId, sound.mjId]).update({ channel_id: servedBy.id }),
    )
    proxy.script.push(answering(answer), answering(answer))

    await poll()

    expect(await rowOf(odd)).toMatchObject({ status: 'SUCCESS', progress: '100%', properties: '' })
    expect(await rowOf(sound)).toMatchObject({ status: 'SUCCESS', progress: '100%', properties: '{"a":1}' })
    proxy.script.length = 0
  })

  test('without a charge has no refund, and one without an id has failed', async () => {
    const { toolkit, proxy, servedBy } = fixture()
    const buyer = await customer(fixture())
    const row = { user_id: buyer.person.id, channel_id: servedBy.id, progress: '0%', submit_time: Date.now(), quota: 0 }
    await toolkit.db.transaction((trx) =>
      trx('midjourneys').insert([
        { ...row, mj_id: 'free' },
        // As other gateways have kept what they refused.
        { ...row, mj_id: '', quota: 5 },
      ]),
    )
    proxy.report('free', { status: 'FAILURE', progress: '100%' })

    await poll()

    expect(await rowsOf(fixture(), buyer)).toMatchObject([{ status: 'FAILURE' }, { status: 'FAILURE', mj_id: '' }])
    expect(await costs(buyer)).toEqual({ balance: 0, user: 0, token: 0, logs: [] })
  })
})

describe('a poll', () => {
  const fixture = shared(openDrawingGateway)

  test('requests at most 200 at once, each channel separately', async () => {
    const { toolkit, servedBy, proxy } = fixture()
    const second = await drawingChannel(fixture())
    const row = { user_id: 1, progress: '0%', submit_time: Date.now() }
    const rows = Array.from({ length: 450 }, (_, at) => ({ ...row, mj_id: `many-${at}`, channel_id: servedBy.id }))
    const others = Array.from({ length: 3 }, (_, at) => ({ ...row, mj_id: `few-${at}`, channel_id: second.id }))
    await toolkit.db.transaction(async (trx) => {
      for (const some of [rows.slice(0, 225), rows.slice(225), others]) await trx('midjourneys').insert(some)
    })
    proxy.report('many-7', { status: 'IN_PROGRESS', progress: '1%' })

    const begun = () => toolkit.db.reader('midjourneys').whereNot({ progress: '0%' }).pluck('mj_id')
    expect(await pollOnce(fixture())).toBe('453 polled, 0 ended')
    expect(await begun()).toEqual(['many-7'])
    expect(proxy.requests.map(({ length }) => length).sort((a, b) => a - b)).toEqual([3, 50, 200, 200])
  })
})
