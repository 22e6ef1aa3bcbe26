import { describe, expect, test } from 'vitest'
import { receiptFields } from '../../core/logs/receipt.ts'
import { BY_USAGE, chargeQuota, type Price, type Usage } from '../../core/pricing/prices.ts'
import { onBoth } from '../support/toolkit.ts'

const USAGE: Usage = {
  promptTokens: 1000,
  completionTokens: 200,
  cachedTokens: 300,
  cacheWriteTokens: 100,
  cacheWriteHourTokens: 0,
  audioPromptTokens: 50,
  audioCompletionTokens: 20,
  reasoningTokens: 0,
}
const PRICE: Price = {
  modelRatio: 1.25,
  modelPrice: BY_USAGE,
  completionRatio: 4,
  cacheRatio: 0.5,
  cacheWriteRatio: 1.25,
  audioRatio: 16,
  audioCompletionRatio: 2,
  groupRatio: 0.7,
  quotaPerUnit: 500_000,
  source: 'option',
}

onBoth('logs', (open) => {
  test('show common users only their own rows under any filter, and administrators all rows', async () => {
    const fixture = await open()
    const { toolkit } = fixture
    const [one, two] = [await fixture.user({ quota: 100 }), await fixture.user({ quota: 100 })]
    const admin = await fixture.user({ role: 10 })
    await fixture.charge(one, { quota: 1 })
    await fixture.charge(two, { quota: 2 })

    for (const filter of [{}, { username: two.username }, { userId: two.id }, { channel: 0 }]) {
      const { items } = await toolkit.logs.list(one, { type: 2, ...filter })
      expect(items.map(({ user_id, quota }) => [user_id, quota])).toEqual([[one.id, 1]])
      expect(await toolkit.logs.stat(one, filter)).toMatchObject({ quota: 1, rpm: 1 })
    }
    const [foreign] = (await toolkit.logs.list(admin, { type: 2, username: two.username })).items
    await expect(toolkit.logs.get(one, foreign?.id ?? 0)).rejects.toMatchObject({ code: 'LOG_NOT_FOUND' })
    await expect(toolkit.logs.get(one, 9999)).rejects.toMatchObject({ code: 'LOG_NOT_FOUND' })
    await expect(toolkit.logs.receipt(one, foreign?.id ?? 0)).rejects.toMatchObject({ code: 'LOG_NOT_FOUND' })
    await expect(toolkit.logs.clear(one, 2 ** 40)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' })
    const range = { start: 0, end: 2 ** 40 }
    await expect(toolkit.logs.counts(one, { ...range, username: two.username })).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    })
    expect(await toolkit.logs.list(admin, { type: 2 })).toMatchObject({ total: 2 })
    expect(await toolkit.logs.stat(admin)).toMatchObject({ quota: 3, rpm: 2 })
  })

  test('show only administrators the channel name and admin_info', async () => {
    const fixture = await open()
    const person = await fixture.user({ quota: 100 })
    const { id: channelId, name } = await fixture.channel()
    const other = JSON.stringify({ model_ratio: 1, admin_info: { use_channel: ['secret-route'] } })
    await fixture.charge(person, { quota: 1, channelId, other })

    const [own] = (await fixture.toolkit.logs.list(person, { type: 2 })).items
    const [full] = (await fixture.toolkit.logs.list(fixture.root, { type: 2 })).items

    expect(own).toMatchObject({ channel_name: '', other: '{"model_ratio":1}' })
    expect(JSON.stringify(await fixture.toolkit.logs.get(person, own?.id ?? 0))).not.toContain('secret-route')
    expect(full).toMatchObject({ channel: channelId, channel_name: name, other })
  })

  test('are filtered by each field, newest first, and paged', async () => {
    let now = 1_700_000_000
    const fixture = await open({ now: () => now })
    const person = await fixture.user({ quota: 100 })
    const { id: channelId } = await fixture.channel()
    const first = await fixture.charge(person, { quota: 1, modelName: 'gpt-4o', tokenName: 'one', channelId })
    now += 100
    await fixture.charge(person, { quota: 2, modelName: 'gpt-4o-mini', group: 'vip', isStream: true })
    const listQuotas = async (filter: object) =>
      (await fixture.toolkit.logs.list(fixture.root, { type: 2, ...filter })).items.map(({ quota }) => quota)

    expect(await listQuotas({})).toEqual([2, 1])
    expect(await listQuotas({ model_name: 'gpt-4o' })).toEqual([1])
    expect(await listQuotas({ model_name: 'gpt-4o%' })).toEqual([2, 1])
    expect(await listQuotas({ model_name: '%-min_' })).toEqual([2])
    expect(await listQuotas({ model_name: '%\\' })).toEqual([])
    expect(await listQuotas({ token_name: 'one' })).toEqual([1])
    expect(await listQuotas({ channel: channelId })).toEqual([1])
    expect(await listQuotas({ group: 'vip' })).toEqual([2])
    expect(await listQuotas({ request_id: first.requestId })).toEqual([1])
    expect(await listQuotas({ start_timestamp: 1_700_000_001 })).toEqual([2])
    expect(await listQuotas({ end_timestamp: 1_700_000_000 })).toEqual([1])
    expect(await listQuotas({ username: person.username, pageSize: 1, page: 2 })).toEqual([1])
    expect(await fixture.toolkit.logs.stat(fixture.root, { end_timestamp: 1_700_000_000 })).toMatchObject({
      quota: 1,
      rpm: 1,
    })
    expect((await fixture.toolkit.logs.list(fixture.root, { group: 'vip' })).items[0]).toMatchObject({
      is_stream: true,
    })
  })

  test('are found by type or by the start of their text; users find only their own, by type', async () => {
    const fixture = await open()
    const [one, two] = [await fixture.user({ quota: 1 }), await fixture.user({ quota: 2 })]
    const listIds = async (actor: typeof one, keyword: string) =>
      (await fixture.toolkit.logs.search(actor, keyword)).map(({ user_id }) => user_id)

    expect(await listIds(fixture.root, '4')).toEqual([two.id, one.id, fixture.root.id])
    expect(await listIds(fixture.root, '新用户')).toEqual([two.id, one.id, fixture.root.id])
    expect(await listIds(fixture.root, '%')).toEqual([])
    expect(await listIds(fixture.root, '\\')).toEqual([])
    expect(await listIds(one, '4')).toEqual([one.id])
    expect(await listIds(one, '新用户')).toEqual([])
  })

  test('of a key are shown to its holder, without administrator fields', async () => {
    const fixture = await open()
    const person = await fixture.user({ quota: 100 })
    const { id, key } = await fixture.token(person)
    const other = JSON.stringify({ model_ratio: 1, admin_info: { use_channel: ['secret-route'] } })
    await fixture.charge(person, { quota: 1, tokenId: id, other })
    await fixture.charge(person, { quota: 2 })

    const rows = await fixture.toolkit.logs.ofKey(`sk-${key}`)

    expect(rows).toMatchObject([{ quota: 1, channel_name: '', other: '{"model_ratio":1}' }])
    expect(await fixture.toolkit.logs.ofKey(key.slice(1))).toEqual([])
  })

  test('that are cleared leave a row with the actor and the number', async () => {
    const fixture = await open({ now: () => 1_700_000_000 })
    const admin = await fixture.user({ role: 10 })
    const { total } = await fixture.toolkit.logs.list(fixture.root)

    expect(await fixture.toolkit.logs.clear(admin, 1_700_000_001)).toBe(total)

    const { items } = await fixture.toolkit.logs.list(fixture.root)
    expect(items).toMatchObject([
      { type: 3, user_id: admin.id, username: admin.username, content: `管理员清理了 ${total} 条日志` },
    ])
    expect(await fixture.toolkit.logs.clear(admin, 1_700_000_000)).toBe(0)
    expect(await fixture.toolkit.logs.list(fixture.root)).toMatchObject({ total: 1 })
    await expect(fixture.toolkit.logs.clear(admin, 0)).rejects.toMatchObject({ code: 'CLEAR_TIME_MISSING' })
  })

  test("count by model and hour; a user's own counts cover a month at most", async () => {
    let now = 1_700_000_000
    const fixture = await open({ now: () => now })
    const person = await fixture.user({ quota: 100 })
    await fixture.charge(person, { quota: 1, promptTokens: 5 })
    now += 3600
    await fixture.charge(person, { quota: 2, promptTokens: 6 })
    const counts = (start: number, end: number) => fixture.toolkit.logs.ownCounts(person, { start, end })

    expect(await counts(now - 7200, now)).toMatchObject([
      { created_at: 1_699_999_200, count: 1, quota: 1, token_used: 5 },
      { created_at: 1_700_002_800, count: 1, quota: 2, token_used: 6 },
    ])
    const everybody = await fixture.toolkit.logs.counts(fixture.root, { start: 0, end: now })
    expect(everybody).toMatchObject([{ user_id: 0, username: '', quota: 1 }, { quota: 2 }])
    const named = await fixture.toolkit.logs.counts(fixture.root, { start: 0, end: now, username: person.username })
    expect(named).toMatchObject([{ user_id: person.id, quota: 1 }, { quota: 2 }])
    await expect(counts(now - 31 * 24 * 3600, now)).rejects.toMatchObject({ code: 'RANGE_TOO_LONG' })
  })
})

onBoth('a receipt', (open) => {
  test.each([
    ['by use, with cached, written and audio tokens', PRICE],
    ['by the call', { ...PRICE, modelPrice: 0.02 }],
  ])('of a charge %s equals the charge', async (_, price) => {
    const fixture = await open()
    const quota = chargeQuota(price, USAGE)
    const other = JSON.stringify(receiptFields(price, USAGE))
    const person = await fixture.user({ quota: quota * 2 })
    const { promptTokens, completionTokens } = USAGE
    await fixture.charge(person, { quota, other, promptTokens, completionTokens })
    const [row] = (await fixture.toolkit.logs.list(person, { type: 2 })).items

    expect(quota).toBeGreaterThan(0)
    expect(await fixture.toolkit.logs.receipt(person, row?.id ?? 0)).toMatchObject({
      equal: true,
      charged: quota,
      recomputed: quota,
    })
  })

  test('of a changed row differs, whichever part changed', async () => {
    const fixture = await open()
    const quota = chargeQuota(PRICE, USAGE)
    const fields = receiptFields(PRICE, USAGE)
    const { promptTokens, completionTokens } = USAGE
    await fixture.charge(fixture.root, { quota, other: JSON.stringify(fields), promptTokens, completionTokens })
    const [row] = (await fixture.toolkit.logs.list(fixture.root, { type: 2 })).items
    const id = row?.id ?? 0
    const altered = async (change: object) => {
      const before = await fixture.toolkit.db
        .reader('logs')
        .where({ id })
        .first(...Object.keys(change))
      const update = (to: object) => fixture.toolkit.db.transaction((trx) => trx('logs').where({ id }).update(to))
      await update(change)
      const { equal } = await fixture.toolkit.logs.receipt(fixture.root, id)
      await update(before)
      return equal
    }

    expect(await altered({ quota: quota - 1 })).toBe(false)
    expect(await altered({ prompt_tokens: promptTokens + 10 })).toBe(false)
    expect(await altered({ completion_tokens: completionTokens + 10 })).toBe(false)
    for (const name of [
      'model_ratio',
      'completion_ratio',
      'group_ratio',
      'cache_tokens',
      'cache_ratio',
      'audio_ratio',
    ]) {
      expect([name, await altered({ other: JSON.stringify({ ...fields, [name]: 3 }) })]).toEqual([name, false])
    }
    expect(await fixture.toolkit.logs.receipt(fixture.root, id)).toMatchObject({ equal: true })
  })

  test('exists only for relay charges', async () => {
    const fixture = await open()
    const { items } = await fixture.toolkit.logs.list(fixture.root)
    await expect(fixture.toolkit.logs.receipt(fixture.root, items[0]?.id ?? 0)).rejects.toMatchObject({
      code: 'LOG_WITHOUT_RECEIPT',
    })
  })
})

describe('the texts of rows that are not relays', () => {
  onBoth('quota', (open) => {
    test('show quota in dollars or in points, as the operator configured', async () => {
      const { toolkit, root, user } = await open()
      const person = await user()

      await toolkit.accounts.setQuota(root, person.id, 250_000)
      await toolkit.options.set(root, 'DisplayInCurrencyEnabled', 'false')
      await toolkit.accounts.setQuota(root, person.id, 5)

      const { items } = await toolkit.logs.list(person, { type: 3 })
      expect(items.map(({ content }) => content)).toEqual([
        '管理员将用户额度从 250000 点额度修改为 5 点额度',
        '管理员将用户额度从 ＄0.000000 额度修改为 ＄0.500000 额度',
      ])
    })
  })
})
