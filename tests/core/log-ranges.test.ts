import { describe, expect, test } from 'vitest'
import { onBoth, openTestToolkit } from '../support/toolkit.ts'

onBoth('log rows of a range of time', (open) => {
  test('are scanned newest first, each once, also those of one second split across batches', async () => {
    const { toolkit, root } = await open()
    // More than a batch in one second, and ids that do not follow the times.
    const rows = Array.from({ length: 600 }, (_, at) => ({ created_at: at % 2 === 0 ? 5000 : 6000 - at, type: 4 }))
    await toolkit.db.transaction((trx) => trx.batchInsert('logs', rows, 50).transacting(trx))

    const times: number[] = []
    const ids = new Set<number>()
    for await (const batch of toolkit.logs.scan(root, { start_timestamp: 4000, end_timestamp: 7000 })) {
      for (const { id, created_at } of batch) {
        ids.add(id)
        times.push(created_at)
      }
    }

    expect(ids.size).toBe(600)
    expect(times).toHaveLength(600)
    expect(times).toEqual([...times].sort((a, b) => b - a))
  })
})

describe('log rows of a time range', () => {
  test('are listed and scanned without sorting all of them', async () => {
    const { toolkit, root } = await openTestToolkit()
    const range = { start_timestamp: 1, end_timestamp: 2_000_000_000 }
    await toolkit.db.transaction((trx) => trx('logs').insert(Array(50).fill({ created_at: 1_000, type: 4 })))
    const queries: { sql: string; bindings: readonly string[] }[] = []
    toolkit.db.reader.on('query', (query) => void queries.push(query))

    await toolkit.logs.list(root, range)
    await toolkit.logs.scan(root, range)[Symbol.asyncIterator]().next()

    const sorted = queries.filter(({ sql }) => sql.includes('order by'))
    expect(sorted).toHaveLength(2)
    for (const { sql, bindings } of sorted) {
      const plan: { detail: string }[] = await toolkit.db.reader.raw(`EXPLAIN QUERY PLAN ${sql}`, bindings)
      expect(plan.map(({ detail }) => detail).join('\n')).toMatch(/created_at_type_quota_index/)
      // Only what is of one second, if anything.
      expect(plan.map(({ detail }) => detail)).not.toContain('USE TEMP B-TREE FOR ORDER BY')
    }
  })
})
