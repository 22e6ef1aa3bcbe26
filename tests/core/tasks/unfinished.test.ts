import { expect, test } from 'vitest'
import type { Database } from '../../../core/db/database.ts'
import { openTestToolkit } from '../../support/toolkit.ts'

const planOf = async ({ reader }: Database, { sql, bindings }: Query) => {
  const plan: { detail: string }[] = await reader.raw(`EXPLAIN QUERY PLAN ${sql}`, bindings)
  return plan.map(({ detail }) => detail)
}
interface Query {
  sql: string
  bindings: readonly string[]
}

test('the music of a user is listed without reading all music, or all of theirs', async () => {
  const { toolkit } = await openTestToolkit()
  const queries: Query[] = []
  toolkit.db.reader.on('query', (query) => void queries.push(query))

  await toolkit.music.listOwn(1, ['a', 'b'])
  await toolkit.music.findPlace(1, 'a')

  for (const query of [...queries]) {
    expect((await planOf(toolkit.db, query))[0]).toContain('tasks_user_id_task_id_index (user_id=? AND task_id=?)')
  }
})

test.each(['midjourneys', 'tasks'] as const)(
  'unfinished %s are found without reading the finished ones',
  async (table) => {
    const { toolkit } = await openTestToolkit()
    const queries: Query[] = []
    toolkit.db.reader.on('query', (query) => void queries.push(query))

    await toolkit.taskLifecycle.unfinishedAccounts(table, table === 'tasks' ? 'suno' : undefined)
    await toolkit.taskLifecycle.unfinished(table, { of: { channelId: 1, keyDigest: '' }, after: 0, limit: 10 })

    for (const query of [...queries]) {
      expect(await planOf(toolkit.db, query)).toEqual([expect.stringContaining(`${table}_unfinished`)])
    }
  },
)
