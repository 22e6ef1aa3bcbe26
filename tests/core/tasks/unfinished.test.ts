import { expect, test } from 'vitest'
import { openTestToolkit } from '../../support/toolkit.ts'

test.each(['midjourneys', 'tasks'] as const)(
  'what is not finished in %s is found without reading what is',
  async (table) => {
    const { toolkit } = await openTestToolkit()
    const asked: { sql: string; bindings: readonly string[] }[] = []
    toolkit.db.reader.on('query', (query) => void asked.push(query))

    await toolkit.taskLifecycle.unfinishedAccounts(table, table === 'tasks' ? 'suno' : undefined)
    await toolkit.taskLifecycle.unfinished(table, { of: { channelId: 1, keyDigest: '' }, after: 0, limit: 10 })

    for (const { sql, bindings } of [...asked]) {
      const plan: { detail: string }[] = await toolkit.db.reader.raw(`EXPLAIN QUERY PLAN ${sql}`, bindings)
      expect(plan.map(({ detail }) => detail)).toEqual([expect.stringContaining(`${table}_unfinished`)])
    }
  },
)
