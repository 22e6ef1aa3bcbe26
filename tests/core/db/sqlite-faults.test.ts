import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../core/db/open.ts'
import type { GatewayError } from '../../../core/errors.ts'
import { openToolkit } from '../../../core/toolkit.ts'
import { whenDone } from '../../support/lifetime.ts'
import { openTestToolkit, testFolder } from '../../support/toolkit.ts'

async function start(folder?: string) {
  const file = join(folder ?? (await testFolder()), 'notes.db')
  const fatal: GatewayError[] = []
  const db = await openDatabase(`sqlite:${file}`, { onFatal: (error) => fatal.push(error) })
  whenDone(() => db.close())
  await db.transaction((trx) => trx.schema.createTable('notes', (table) => table.text('text')))
  const write = (text: string) => db.transaction((trx) => trx('notes').insert({ text }))
  return { db, file, fatal, write }
}

/** A file system of half a megabyte, gone when the test ends; undefined where mounting is not permitted. */
async function smallDisk(): Promise<string | undefined> {
  const folder = join(await testFolder(), 'disk')
  mkdirSync(folder)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=512k', 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  whenDone(() => void execFileSync('umount', ['-l', folder]))
  return folder
}

test('a full disk fails its transaction, and the next one succeeds after space is freed', async ({ skip }) => {
  const disk = await smallDisk()
  if (!disk) return skip('a small file system cannot be mounted here')
  const { db, write } = await start(disk)
  const filler = join(disk, 'filler')
  writeFileSync(filler, Buffer.alloc(100 * 1024))

  await expect(write('x'.repeat(600 * 1024))).rejects.toThrow()
  await expect(db.script?.(`INSERT INTO notes VALUES ('${'x'.repeat(600 * 1024)}')`)).rejects.toThrow()
  rmSync(filler)

  await write('small')
  await db.script?.(`INSERT INTO notes VALUES ('script')`)
  expect(await db.reader('notes').pluck('text')).toEqual(['small', 'script'])
})

test('a failed COMMIT leaves the connection usable', async () => {
  const { db, write } = await start()
  // The COMMIT that follows finds no transaction, and fails.
  await expect(db.transaction((trx) => trx.raw('COMMIT'))).rejects.toThrow('no transaction is active')
  await write('next')
  expect(await db.reader('notes').pluck('text')).toEqual(['next'])
})

test.each(['replaced', 'deleted'])(
  'a file that was %s under a running process stops writes within a second',
  async (how) => {
    const { db, file, fatal, write } = await start()
    const stop = await db.watch(() => {})
    whenDone(stop)
    await write('before')
    if (how === 'replaced') {
      copyFileSync(file, `${file}.copy`)
      renameSync(`${file}.copy`, file)
    } else rmSync(file)

    await expect.poll(() => fatal.length, { timeout: 1000, interval: 20 }).toBe(1)

    expect(fatal).toMatchObject([{ code: 'DATABASE_REPLACED', params: { file } }])
    await expect(write('after')).rejects.toMatchObject({ code: 'DATABASE_REPLACED' })
    await expect(db.script?.('SELECT 1')).rejects.toMatchObject({ code: 'DATABASE_REPLACED' })
  },
)

/** A closed database of a first start, with its key. */
async function closedDatabase() {
  const fixture = await openTestToolkit()
  for (let at = 0; at < 20; at++) await fixture.user()
  await fixture.close()
  const { databaseUrl } = fixture.config
  return { config: fixture.config, file: databaseUrl.slice('sqlite:'.length) }
}

test('a database with overwritten pages is rejected at the start of a gateway, with the next step', async () => {
  const { config, file } = await closedDatabase()
  const handle = openSync(file, 'r+')
  writeSync(handle, Buffer.alloc(4096 * 6, 0xab), 0, 4096 * 6, 4096 * 3)

  const opening = openToolkit(config, { checkDatabase: true })

  await expect(opening).rejects.toMatchObject({ code: 'DATABASE_DAMAGED', params: { file } })
})

test.each([
  ['that is no database', Buffer.from('this is a text file and no database at all\n'.repeat(200))],
  ['whose second half is missing', undefined],
])('a file %s is rejected', async (_, content) => {
  const { config, file } = await closedDatabase()
  const before = readFileSync(file)
  writeFileSync(file, content ?? before.subarray(0, Math.floor(before.length / 2)))
  await expect(openToolkit(config, { checkDatabase: true })).rejects.toMatchObject({ code: 'DATABASE_DAMAGED' })
})

test('a write-ahead log without its database is rejected, and unchanged', async () => {
  const folder = await testFolder()
  const file = join(folder, 'tollgate.db')
  writeFileSync(`${file}-wal`, 'transactions that are not in the main file yet')
  await expect(openDatabase(`sqlite:${file}`)).rejects.toMatchObject({ code: 'DATABASE_DAMAGED' })
  expect(readFileSync(`${file}-wal`, 'utf8')).toContain('not in the main file')
})

test('corruption found by a query is fatal once, and is not retried forever', async () => {
  const { db, file, fatal } = await start()
  for (let at = 0; at < 50; at++) await db.script?.(`INSERT INTO notes VALUES ('${'x'.repeat(3000)}')`)
  await db.close()
  const handle = openSync(file, 'r+')
  writeSync(handle, Buffer.alloc(4096 * 20, 0xab), 0, 4096 * 20, 4096 * 2)

  const again = await openDatabase(`sqlite:${file}`, { onFatal: (error) => fatal.push(error) })
  whenDone(() => again.close())
  await expect(again.reader('notes').sum({ length: again.reader.raw('length(text)') })).rejects.toThrow()
  expect(fatal).toMatchObject([{ code: 'DATABASE_DAMAGED' }])
  await expect(again.transaction((trx) => trx('notes').insert({ text: 'no' }))).rejects.toMatchObject({
    code: 'DATABASE_DAMAGED',
  })
})
