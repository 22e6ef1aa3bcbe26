import { appendFile, readdir, readFile, rename, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { claimJournals, createJournal, fromRecord, readJournalRecords } from '../../../core/ledger/journal.ts'
import { testFolder } from '../../support/toolkit.ts'

/** A process id that no process has: above the largest that Linux gives out. */
const DEAD_PID = 2 ** 22 + 1

const filesIn = async (folder: string): Promise<string[]> => (await readdir(folder)).map((name) => join(folder, name))

/** A folder with the journal of a dead process that holds these records. */
async function leftBehind(records: unknown[]): Promise<{ folder: string; path: string }> {
  const folder = join(await testFolder(), 'journal')
  const journal = createJournal(folder)
  for (const record of records) await journal.append(record)
  await journal.close()
  const [file = ''] = await filesIn(folder)
  const path = join(folder, `${DEAD_PID}-left.journal`)
  await rename(file, path)
  return { folder, path }
}

async function claim(folder: string) {
  const claimed: { records: unknown[]; tornBytes: number }[] = []
  for await (const { records, tornBytes, remove } of claimJournals(folder)) {
    claimed.push({ records, tornBytes })
    await remove()
  }
  return claimed
}

test('records are read in order, and a cleared journal leaves no file', async () => {
  const folder = join(await testFolder(), 'journal')
  const journal = createJournal(folder)
  await Promise.all([1, 2, 3].map((n) => journal.append({ n })))
  const [path = ''] = await filesIn(folder)

  expect(readJournalRecords(await readFile(path))).toEqual({
    records: [{ n: 1 }, { n: 2 }, { n: 3 }],
    tornBytes: 0,
    damagedBytes: 0,
  })
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  await journal.clear()
  expect(await filesIn(folder)).toEqual([])
  await journal.append({ n: 4 })
  expect(await filesIn(folder)).toHaveLength(1)
  await journal.close()
})

test.each([1, 7, 8, 9, 20])('a tail torn %d bytes into a record loses only that record', async (bytes) => {
  const { folder, path } = await leftBehind([{ text: 'é'.repeat(40) }, { text: 'second record' }])
  const whole = (await stat(path)).size
  const first = 8 + Buffer.byteLength(JSON.stringify({ text: 'é'.repeat(40) }))
  await truncate(path, first + bytes)

  expect(first + bytes).toBeLessThan(whole)
  expect(await claim(folder)).toEqual([{ records: [{ text: 'é'.repeat(40) }], tornBytes: bytes }])
})

test('a flipped bit ends the journal before the damage, and is reported', async () => {
  const { folder, path } = await leftBehind([{ a: 1 }, { b: 2 }])
  const bytes = await readFile(path)
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 2) ^ 1, bytes.length - 2)
  await writeFile(path, bytes)

  const [left] = await claim(folder)
  expect(left?.records).toEqual([{ a: 1 }])
  expect(left?.tornBytes).toBeGreaterThan(0)
})

test('a flipped bit in the middle loses only that record, is reported, and the file is kept for inspection', async () => {
  const { folder, path } = await leftBehind([{ a: 1 }, { lost: true }, { b: 2 }, { text: 'é{}' }])
  const bytes = await readFile(path)
  bytes.write('L', bytes.indexOf('lost'))
  await writeFile(path, bytes)

  const left = claimJournals(folder)
  const { value } = await left.next()
  expect(value).toMatchObject({ records: [{ a: 1 }, { b: 2 }, { text: 'é{}' }], tornBytes: 0, damagedBytes: 21 })
  await value?.remove()

  expect(await filesIn(folder)).toEqual([value?.damagedPath])
  expect(await readFile(value?.damagedPath ?? '')).toEqual(bytes)
  expect(await claim(folder)).toEqual([])
})

test('a damaged length loses only that record', async () => {
  const { folder, path } = await leftBehind([{ a: 1 }, { b: 2 }, { c: 3 }])
  const bytes = await readFile(path)
  bytes.writeUInt32BE(2 ** 31, bytes.indexOf('{"b"') - 8)
  await writeFile(path, bytes)
  expect((await claim(folder))[0]?.records).toEqual([{ a: 1 }, { c: 3 }])
})

test('an impossible length is damage, and allocates no memory', async () => {
  const { folder, path } = await leftBehind([{ a: 1 }])
  await appendFile(path, Buffer.from('ffffffff00000000', 'hex'))
  expect(await claim(folder)).toEqual([{ records: [{ a: 1 }], tornBytes: 8 }])
})

test('of two processes that search for abandoned journals concurrently, one gets each', async () => {
  const { folder } = await leftBehind([{ a: 1 }])
  const claimed = await Promise.all([claim(folder), claim(folder)])
  expect(claimed.flat()).toEqual([{ records: [{ a: 1 }], tornBytes: 0 }])
})

test('the journal of a running process is ignored', async () => {
  const { folder, path } = await leftBehind([{ a: 1 }])
  await rename(path, join(folder, `${process.ppid}-live.journal`))
  expect(await claim(folder)).toEqual([])
})

test('a journal whose file was removed continues in a new one', async () => {
  const folder = join(await testFolder(), 'journal')
  const journal = createJournal(folder)
  await journal.append({ n: 1 })
  const [path = ''] = await filesIn(folder)
  await rename(path, `${path}.taken`)

  await journal.append({ n: 2 })

  const [file = ''] = (await filesIn(folder)).filter((name) => name.endsWith('.journal'))
  expect(readJournalRecords(await readFile(file)).records).toEqual([{ n: 2 }])
  await journal.close()
})

test('a folder that does not exist has no journals', async () => {
  expect(await claim(join(await testFolder(), 'none'))).toEqual([])
})

test.each([null, {}, { version: 2, at: 1, settlements: [] }, { version: 1, at: 1, settlements: [{ charge: {} }] }])(
  'a record unknown to this version is an error, not a charge: %j',
  (record) => {
    expect(() => fromRecord(record, '/data/journal/1.journal')).toThrow(
      /\/data\/journal\/1\.journal .*cannot read: start the version/,
    )
  },
)
