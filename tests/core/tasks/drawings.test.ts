import { expect, test } from 'vitest'
import { openTestToolkit } from '../../support/toolkit.ts'

test('somebody’s drawing is found without reading all that they have, or all that have its id', async () => {
  const { toolkit } = await openTestToolkit()
  const asked: { sql: string; bindings: readonly string[] }[] = []
  toolkit.db.reader.on('query', (query) => void asked.push(query))

  await toolkit.drawings.findOwn(1, 'a')
  await toolkit.drawings.listOwn(1, ['a', 'b'])

  expect(asked).toHaveLength(2)
  for (const { sql, bindings } of [...asked]) {
    const plan: { detail: string }[] = await toolkit.db.reader.raw(`EXPLAIN QUERY PLAN ${sql}`, bindings)
    expect(plan[0]?.detail).toContain('user_id_mj_id_index (user_id=? AND mj_id=?)')
  }
})
