import { expect, test } from 'vitest'
import { seeded } from '../support/seeded.ts'
import { onBoth } from '../support/toolkit.ts'

const NOW = 1_700_000_000
const MODELS = ['gpt-4o', 'o3', 'claude']

interface Sold {
  username: string
  modelName: string
  quota: number
}

function sumOf(charges: readonly Sold[], filter: { username?: string; model_name?: string }): number {
  const { username, model_name: model } = filter
  return charges
    .filter((charge) => username === undefined || charge.username === username)
    .filter(({ modelName }) => model === undefined || modelName.includes(model.replaceAll('%', '')))
    .reduce((sum, { quota }) => sum + quota, 0)
}

onBoth('totals and sums of the log', (open, database) => {
  test('equal a scan of the rows, also after inserts and deletions', async () => {
    let now = NOW
    const fixture = await open({ now: () => now })
    const { toolkit, root } = fixture
    const random = seeded(11)
    const people = await Promise.all([1, 2, 3].map(() => fixture.user({ quota: 1_000_000 })))
    const charges: Sold[] = []
    let isCleared = false
    const filters = [
      {},
      { type: 2 },
      { model_name: 'o3' },
      { model_name: '%o%' },
      { token_name: 'key-1' },
      { username: people[0]?.username ?? '' },
      { channel: 2 },
      { model_name: 'gpt-4o', start_timestamp: NOW + 20, end_timestamp: NOW + 4000 },
    ]
    for (let round = 0; round < 6; round++) {
      for (let at = 0; at < 15; at++) {
        now += Math.floor(random() * 60)
        const person = people[at % 3] as (typeof people)[0]
        const modelName = MODELS[Math.floor(random() * 3)] ?? ''
        const fields = { modelName, tokenName: `key-${at % 2}`, channelId: 1 + (at % 3) }
        const quota = 1 + Math.floor(random() * 50)
        await fixture.charge(person, { quota, promptTokens: 2, ...fields })
        charges.push({ username: person.username, modelName, quota })
      }
      if (round === 3) {
        await toolkit.logs.clear(root, now - 300)
        isCleared = true
      }
      for (const filter of filters) {
        const { total } = await toolkit.logs.list(root, { ...filter, page: 1, pageSize: 1 })
        let scanned = 0
        let quota = 0
        for await (const rows of toolkit.logs.scan(root, filter)) {
          scanned += rows.length
          for (const row of rows) if (row.type === 2) quota += row.quota
        }
        expect({ round, filter, total }).toEqual({ round, filter, total: scanned })
        // What was cleared is still in the sums of users and models.
        const isCounted = isCleared && !('token_name' in filter || 'channel' in filter || 'start_timestamp' in filter)
        const spent = isCounted ? sumOf(charges, filter) : quota
        expect({ round, filter, quota: (await toolkit.logs.stat(root, filter)).quota }).toEqual({
          round,
          filter,
          quota: spent,
        })
      }
    }
  })

  test('that were precomputed are not counted again by the first list', async () => {
    const fixture = await open({ now: () => NOW })
    const { toolkit, root } = fixture
    const rows = Array.from({ length: 6000 }, () => ({
      user_id: 0,
      type: 4,
      created_at: NOW,
      content: '',
      username: '',
    }))
    await toolkit.db.transaction((trx) => trx.batchInsert('logs', rows, 100))
    const { total } = await (await fixture.another()).logs.list(root)
    const statements: string[] = []
    toolkit.db.reader.on('query', ({ sql }: { sql: string }) => statements.push(sql))
    const counts = () => statements.splice(0).filter((sql) => /count\(\*\)/i.test(sql))

    await toolkit.logs.prepare()
    expect(counts()).toHaveLength(1)
    expect((await toolkit.logs.list(root)).total).toBe(total)

    const [counted = '', ...others] = counts()
    expect(others).toEqual([])
    expect(counted).toMatch(/where .logs.\..id. >/)
  })

  test('of the dashboard are the same by user and for all, and recounting an hour takes no id', async () => {
    const fixture = await open({ now: () => NOW })
    const { toolkit, root } = fixture
    const person = await fixture.user({ quota: 1000 })
    for (let at = 0; at < 5; at++) await fixture.charge(person, { quota: 3, modelName: 'o3', promptTokens: 4 })
    await fixture.charge(person, { quota: 5, modelName: 'gpt-4o' })
    const range = { start: NOW - 7200, end: NOW + 7200 }

    expect(await toolkit.logs.counts(root, range)).toMatchObject([
      { model_name: 'gpt-4o', count: 1, quota: 5 },
      { model_name: 'o3', count: 5, quota: 15, token_used: 20 },
    ])
    expect(await toolkit.logs.counts(root, { ...range, username: person.username })).toHaveLength(2)
    const ids = await toolkit.db.reader('quota_data').orderBy('id').pluck('id')
    if (database === 'postgres') expect(ids).toEqual([1, 2])
  })
})
