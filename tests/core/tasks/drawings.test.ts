import { expect, test } from 'vitest'
import { openTestToolkit } from '../../support/toolkit.ts'

test('a user’s drawing is found without reading all their drawings, or all with its id', async () => {
  const { toolkit } = await openTestToolkit()
  const queries: { sql: string; bindings: readonly string[] }[] = []
  toolkit.db.reader.on('query', (query) => void queries.push(query))

  await toolkit.drawings.findOwn(1, 'a')
  await toolkit.drawings.listOwn(1, ['a', 'b'])

  expect(queries).toHaveLength(2)
  for (const { sql, bindings } of [...queries]) {
    const plan: { detail: string }[] = await toolkit.db.reader.raw(`EXPLAIN QUERY PLAN ${sql}`, bindings)
    expect(plan[0]?.detail).toContain('user_id_mj_id_index (user_id=? AND mj_id=?)')
  }
})
