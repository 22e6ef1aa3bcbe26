import { expect, test } from 'vitest'
import type { DashboardQuery } from '../../../../core/logs/usage/dashboard.ts'
import { addMs, decode, encode, percentile } from '../../../../core/logs/usage/histogram.ts'
import { bill, onBoth, type Person, type TestToolkit } from '../../../support/toolkit.ts'

const HOUR_S = 3600
const NOW = 1_700_000_000 - (1_700_000_000 % HOUR_S) + 1800
const ALL: DashboardQuery = { scope: 'all', lastHours: 24, by: 'model', metric: 'quota' }

test('percentiles have an error of at most 5 %, and zero requests have none', () => {
  const histogram = new Map<number, number>()
  for (let ms = 1; ms <= 1000; ms++) addMs(histogram, ms)

  const again = decode(encode(histogram))

  expect(percentile(again, 0.5)).toBeGreaterThan(475)
  expect(percentile(again, 0.5)).toBeLessThan(525)
  expect(percentile(again, 0.95)).toBeGreaterThan(900)
  expect(percentile(again, 0.95)).toBeLessThan(1000)
  expect(percentile(new Map(), 0.5)).toBe(-1)
  expect(decode('')).toEqual(new Map())
})

onBoth('the dashboard', (open) => {
  let clock = NOW

  async function opened(): Promise<TestToolkit & { ann: Person; bob: Person }> {
    clock = NOW
    const fixture = await open({ now: () => clock })
    return { ...fixture, ann: await fixture.user({ quota: 1e9 }), bob: await fixture.user({ quota: 1e9 }) }
  }

  /** A charge at a time, which the clock then has. */
  async function charged(
    { toolkit }: TestToolkit,
    person: Person,
    { at, ms = 1000, ...fields }: { at: number; ms?: number } & Partial<ReturnType<typeof bill>> & { quota: number },
  ) {
    clock = at
    const hold = await toolkit.ledger.hold({ userId: person.id, budgetTokenId: 0, quota: fields.quota })
    const other = JSON.stringify({ use_time_ms: ms, frt: Math.round(ms / 4) })
    await toolkit.ledger.settle(hold, bill(person, { other, ...fields }))
  }

  const failure = (person: Person, at: number, code: string, more: object = {}) => ({
    requestId: `${code}-${at}-${Math.random()}`,
    userId: person.id,
    username: person.username,
    tokenId: 0,
    tokenName: '',
    modelName: 'gpt-4o',
    channelId: 0,
    group: 'default',
    useTimeSeconds: 1,
    isStream: false,
    at,
    content: 'failed',
    status: 503,
    code,
    tries: [],
    ...more,
  })

  const read = async ({ toolkit }: TestToolkit, actor: Person, query: DashboardQuery = ALL) =>
    (await toolkit.logs.dashboard(actor, query)).data

  test('counts each row once, before and after the job has counted it', async () => {
    const fixture = await opened()
    const { toolkit, ann, bob, root } = fixture
    await charged(fixture, ann, { at: NOW - 2 * HOUR_S, quota: 100, promptTokens: 10, channelId: 7 })
    await charged(fixture, bob, { at: NOW - HOUR_S, quota: 50, modelName: 'o3', ms: 9000 })
    await toolkit.logs.writeFailures([failure(ann, NOW - HOUR_S, 'server_error')])
    clock = NOW
    const before = await read(fixture, root)

    // On PostgreSQL the first run only looks how far the ids go.
    for (const later of [0, 60, 120]) {
      clock = NOW + later
      await toolkit.logs.rollUpUsage()
    }
    clock = NOW
    const after = await read(fixture, root)
    await charged(fixture, ann, { at: NOW, quota: 1, channelId: 7 })
    const later = await read(fixture, root)

    expect(before?.totals).toMatchObject({ quota: 150, count: 2, tokens: 10, ok: 2, failed: 1 })
    expect(after).toEqual({ ...before, counted_until: expect.any(Number) })
    expect(later?.totals).toMatchObject({ quota: 151, count: 3, ok: 3, failed: 1 })
    expect(later?.channels).toMatchObject([{ name: '7', count: 2, quota: 101 }])
    expect(later?.errors).toEqual([{ code: 'server_error', count: 1 }])
    expect(await toolkit.db.reader('usage_hours').where({ kind: 'all' }).sum({ count: 'count' })).toEqual([
      { count: expect.toSatisfy((sum) => Number(sum) === 2) },
    ])
  })

  test('compares with the previous period, without the current hour', async () => {
    const fixture = await opened()
    await charged(fixture, fixture.ann, { at: NOW - 30 * HOUR_S, quota: 200 })
    await charged(fixture, fixture.ann, { at: NOW - 3 * HOUR_S, quota: 100 })
    await charged(fixture, fixture.ann, { at: NOW, quota: 40 })

    const usage = await read(fixture, fixture.root)

    expect([usage?.totals.quota, usage?.compared.quota, usage?.previous.quota]).toEqual([140, 100, 200])
  })

  test("covers only the user's relays for common users", async () => {
    const fixture = await opened()
    await charged(fixture, fixture.ann, { at: NOW, quota: 100, tokenId: 3, tokenName: 'web' })
    await charged(fixture, fixture.bob, { at: NOW, quota: 900 })

    await expect(read(fixture, fixture.ann)).rejects.toMatchObject({ kind: 'forbidden' })
    await expect(read(fixture, fixture.ann, { ...ALL, username: fixture.bob.username })).rejects.toMatchObject({
      kind: 'forbidden',
    })
    const ownUsage = await read(fixture, fixture.ann, { ...ALL, scope: 'own', by: 'channel' })
    const ofBob = await read(fixture, fixture.root, { ...ALL, username: fixture.bob.username })

    expect(ownUsage).toMatchObject({ totals: { quota: 100, ok: 1 }, by: 'model', users: [], channels: [] })
    expect(ownUsage?.tokens).toMatchObject([{ name: '3', quota: 100 }])
    expect(ownUsage?.newest.map(({ user_id }) => user_id)).toEqual([fixture.ann.id, fixture.ann.id]) // the other one is the grant
    expect(ofBob?.totals.quota).toBe(900)
  })

  test('has the largest by the chosen metric, and the others as one', async () => {
    const fixture = await opened()
    for (let at = 1; at <= 10; at++) {
      const fields = { quota: at * 10, promptTokens: 1000 - at * 10, modelName: `m${at}` }
      await charged(fixture, fixture.ann, { at: NOW, ...fields })
    }

    const byQuota = await read(fixture, fixture.root)
    const byTokens = await read(fixture, fixture.root, { ...ALL, metric: 'tokens' })

    expect(byQuota?.groups.map(({ name }) => name)).toEqual(['m10', 'm9', 'm8', 'm7', 'm6', 'm5', 'm4', 'm3', ''])
    expect(byQuota?.groups.at(-1)).toMatchObject({ quota: 30, count: 2 })
    expect(byQuota?.group_count).toBe(2)
    expect(byTokens?.groups.map(({ name }) => name)).toEqual(['m1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7', 'm8', ''])
    const sum = byQuota?.series.reduce((total, { quota }) => total + quota, 0)
    expect(sum).toBe(byQuota?.totals.quota)
  })

  test('does not count clients that disconnect as failures, and counts all failures that a row represents', async () => {
    const fixture = await opened()
    await fixture.toolkit.logs.writeFailures([
      failure(fixture.ann, NOW, 'client_gone', { status: 499 }),
      failure(fixture.ann, NOW, 'server_error', {
        ...{ requestId: '', lastRequestId: 'x', suppressed: 7 },
        suppressedAttempts: new Map([
          [5, 7],
          [6, 3],
        ]),
      }),
      failure(fixture.ann, NOW, 'server_error', {
        tries: [{ channel: 5, status: 500, code: null, ms: 1, message: '' }],
      }),
    ])

    const usage = await read(fixture, fixture.root)

    expect(usage?.totals).toMatchObject({ ok: 0, failed: 8 })
    expect(usage?.errors).toEqual([
      { code: 'server_error', count: 8 },
      { code: 'client_gone', count: 1 },
    ])
    expect(usage?.channels).toMatchObject([
      { name: '5', failed: 8 },
      { name: '6', failed: 3 },
    ])
  })

  test('returns its version while nothing has changed', async () => {
    const fixture = await opened()
    await charged(fixture, fixture.ann, { at: NOW, quota: 1 })
    clock = NOW + 120 // the rate of the last minute would change
    const { logs } = fixture.toolkit
    const first = await logs.dashboard(fixture.root, ALL)

    const same = await logs.dashboard(fixture.root, ALL, first.version)
    const other = await logs.dashboard(fixture.ann, { ...ALL, scope: 'own' }, first.version)
    await charged(fixture, fixture.bob, { at: clock, quota: 1 })
    const changed = await logs.dashboard(fixture.root, ALL, first.version)

    expect(same).toEqual({ version: first.version })
    expect(other.data?.totals.quota).toBe(1)
    expect(changed.data?.totals.quota).toBe(2)
  })

  test('keeps the fifty largest of an ended hour, and the sum of the others', async () => {
    const fixture = await opened()
    const at = NOW - 10 * HOUR_S
    const rows = Array.from({ length: 70 }, (_, id) => ({
      user_id: 100 + id,
      type: 2,
      created_at: at,
      quota: id + 1,
      model_name: 'm',
      request_id: `r${id}`,
      other: '{}',
    }))
    await fixture.toolkit.db.transaction((trx) => trx('logs').insert(rows))

    for (const later of [0, 60, 120]) {
      clock = NOW + later
      await fixture.toolkit.logs.rollUpUsage()
    }

    const kept = await fixture.toolkit.db.reader('usage_hours').where({ kind: 'user' }).orderBy('quota', 'desc')
    expect(kept).toHaveLength(51)
    expect(kept.reduce((sum, { quota }) => sum + Number(quota), 0)).toBe((70 * 71) / 2)
    expect(kept.some(({ name }) => name === '')).toBe(true)
  })
})
