import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../core/db/open.ts'
import { whenDone } from '../../support/lifetime.ts'
import { testFolder } from '../../support/toolkit.ts'

const PAGE_BYTES = 4096
/** So that few commits fill many pages. */
const TEXT = 'x'.repeat(4 * PAGE_BYTES)

async function start() {
  const file = join(await testFolder(), 'notes.db')
  const db = await openDatabase(`sqlite:${file}`)
  whenDone(() => db.close())
  await db.transaction((trx) => trx.schema.createTable('notes', (table) => table.text('text')))
  const write = async (commits: number) => {
    for (let at = 0; at < commits; at++) await db.script?.(`INSERT INTO notes (text) VALUES ('${TEXT}')`)
  }
  return { db, write, size: (suffix = '') => statSync(file + suffix).size }
}

test('the log is written to the database in the background, and then overwritten', async () => {
  const { write, size } = await start()
  await write(300)
  await expect.poll(() => size()).toBeGreaterThan(240 * TEXT.length)
  // Ten times the pages of one checkpoint: SQLite itself would let the log grow to 16 000 pages.
  await write(2_700)
  await expect.poll(() => size()).toBeGreaterThan(2_700 * TEXT.length)
  expect(size('-wal')).toBeLessThan(8_000 * PAGE_BYTES)
})

test('no commit is lost if the database closes during a checkpoint', async () => {
  const { db, write } = await start()
  const writing = write(260)
  await writing
  await db.close()
  const again = await openDatabase(`sqlite:${db.name}`)
  whenDone(() => again.close())
  expect(await again.reader('notes').count({ count: '*' }).first()).toEqual({ count: 260 })
})
