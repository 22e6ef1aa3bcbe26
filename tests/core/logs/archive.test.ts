import { createHash } from 'node:crypto'
import { readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { verifyArchive } from '../../../core/logs/archive/file.ts'
import { bill, onBoth, type Person, type TestToolkit, testFolder } from '../../support/toolkit.ts'

const JANUARY = Date.UTC(2026, 0, 10) / 1000
const FEBRUARY = Date.UTC(2026, 1, 3) / 1000
const MARCH = Date.UTC(2026, 2, 1) / 1000

/** A fixture with a settable clock. */
async function openAt(open: (options: { now: () => number }) => Promise<TestToolkit>) {
  const clock = { now: JANUARY }
  const fixture = await open({ now: () => clock.now })
  const person = await fixture.user({ quota: 1_000_000 })
  /** Charges at a time, each of another price. */
  async function charges(at: number, count: number) {
    clock.now = at
    for (let each = 1; each <= count; each++) await fixture.charge(person, { quota: each, promptTokens: 10 * each })
  }
  const archive = (before: number, folder: string, remove = false, signal?: AbortSignal) =>
    fixture.toolkit.logArchive.archive(fixture.root, { folder, before, remove, signal })
  const charged = async () =>
    Number((await fixture.toolkit.db.reader('logs').where({ type: 2 }).count({ total: '*' }).first())?.total)
  return { fixture, person, clock, charges, archive, charged }
}

async function linesOf(folder: string, file: string): Promise<Record<string, unknown>[]> {
  const text = gunzipSync(await readFile(join(folder, file))).toString()
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

const chargesIn = (lines: Record<string, unknown>[]) => lines.filter(({ type }) => type === 2)

onBoth('an archive of the log', (open) => {
  test('has a file and a manifest per month, and does not change the log', async () => {
    const { fixture, charges, archive, charged } = await openAt(open)
    await charges(JANUARY, 3)
    await charges(FEBRUARY, 2)
    await charges(MARCH, 1)
    const folder = join(await testFolder(), 'new', 'archive')

    const { files, removed } = await archive(MARCH, folder)

    expect(files.map(({ file }) => file)).toEqual(['logs-2026-01-001.jsonl.gz', 'logs-2026-02-001.jsonl.gz'])
    expect((await readdir(folder)).sort()).toEqual([
      'logs-2026-01-001.jsonl.gz',
      'logs-2026-01-001.manifest.json',
      'logs-2026-02-001.jsonl.gz',
      'logs-2026-02-001.manifest.json',
    ])
    const lines = await linesOf(folder, 'logs-2026-02-001.jsonl.gz')
    expect(chargesIn(lines).map(({ quota }) => quota)).toEqual([1, 2])
    expect(lines[0]).toMatchObject({ created_at: FEBRUARY, is_stream: false, model_name: 'gpt-4o' })
    expect(files[1]?.types).toContainEqual({ type: 2, rows: 2, quota: 3, prompt_tokens: 30, completion_tokens: 0 })
    const bytes = await readFile(join(folder, 'logs-2026-02-001.jsonl.gz'))
    expect(files[1]).toMatchObject({
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      oldest: FEBRUARY,
      newest: FEBRUARY,
    })
    expect(removed).toBe(0)
    expect(await charged()).toBe(6)
    const [audited] = await fixture.toolkit.audit.list(fixture.root, { action: 'log.archive' })
    expect(audited?.after).toMatchObject({ folder, rows_before: MARCH, removed: false })
  })

  test('removes its rows during charges, with an equal ledger all the time', async () => {
    const { fixture, person, charges, archive, charged, clock } = await openAt(open)
    await charges(JANUARY, 30)
    await charges(FEBRUARY, 30)
    clock.now = MARCH
    const folder = await testFolder()
    const verified: boolean[] = []
    let archiving = true
    const charging = (async () => {
      while (archiving) {
        await fixture.charge(person, { quota: 1 })
        verified.push((await fixture.toolkit.ledger.verify()).equal)
      }
    })()

    const { rows, removed } = await archive(MARCH, folder, true)
    archiving = false
    await charging

    expect(removed).toBe(rows)
    expect(rows).toBeGreaterThanOrEqual(60)
    expect(await charged()).toBe(verified.length)
    expect(verified.length).toBeGreaterThan(0)
    expect(verified).not.toContain(false)
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true })
    const carried = await fixture.toolkit.db.reader('ledger_entries').where({ kind: 'carry' }).pluck('quota')
    expect(carried.map(Number)).toEqual([-465, -465])
  })

  test('run again, writes only new rows, to a further file', async () => {
    const { fixture, person, charges, archive, clock } = await openAt(open)
    await charges(JANUARY, 3)
    clock.now = MARCH
    const folder = await testFolder()
    await archive(MARCH, folder)
    expect(await archive(MARCH, folder)).toMatchObject({ rows: 0, earlier: ['logs-2026-01-001.jsonl.gz'] })

    const hold = await fixture.toolkit.ledger.hold({ userId: person.id, budgetTokenId: 0, quota: 7 })
    await fixture.toolkit.ledger.settle(hold, bill(person, { quota: 7 }))
    await fixture.toolkit.db.transaction((trx) =>
      trx('logs')
        .where({ quota: 7 })
        .update({ created_at: JANUARY - 5 }),
    )
    await fixture.toolkit.db.transaction((trx) => trx('quota_data').where({ created_at: MARCH }).delete())
    const again = await archive(MARCH, folder, true)

    expect(again.files.map(({ file, rows }) => [file, rows])).toEqual([['logs-2026-01-002.jsonl.gz', 1]])
    const first = await linesOf(folder, 'logs-2026-01-001.jsonl.gz')
    expect(again.removed).toBe(first.length + 1)
    expect(await fixture.toolkit.db.reader('logs').where('created_at', '<', MARCH)).toEqual([])
  })

  test('removes nothing after its end time, although an earlier file has more', async () => {
    const { charges, archive, charged } = await openAt(open)
    await charges(JANUARY, 2)
    await charges(JANUARY + 3600, 2)
    const folder = await testFolder()
    await archive(MARCH, folder)

    await archive(JANUARY + 60, folder, true)

    expect(await charged()).toBe(2)
  })

  test('ignores files of another gateway in the same folder', async () => {
    const [mine, other] = [await openAt(open), await openAt(open)]
    await mine.charges(JANUARY, 3)
    await other.charges(JANUARY, 3)
    const folder = await testFolder()
    await other.archive(MARCH, folder)

    await mine.archive(MARCH, folder, true)

    const own = (await linesOf(folder, 'logs-2026-01-002.jsonl.gz')).map(({ request_id }) => request_id)
    const others = (await linesOf(folder, 'logs-2026-01-001.jsonl.gz')).map(({ request_id }) => request_id)
    expect(own.filter((id) => id !== null)).toHaveLength(3)
    expect(own.filter((id) => id !== null && others.includes(id))).toEqual([])
    expect(await mine.charged()).toBe(0)
    expect(await other.charged()).toBe(3)
  })

  test('resumes after an interruption: nothing is lost, and nothing is archived twice', async () => {
    const { fixture, charges, archive, charged, clock } = await openAt(open)
    await charges(JANUARY, 30)
    await charges(FEBRUARY, 30)
    clock.now = MARCH
    const folder = await testFolder()
    const { db } = fixture.toolkit
    const { transaction, script } = db
    // The process dies when the first rows are deleted: after the file of January, before that of February.
    const die = () => Promise.reject(new Error('killed'))
    const dying = async <T>(work: Parameters<typeof transaction<T>>[0]): Promise<T> => {
      if ((await readdir(folder)).some((name) => name.endsWith('manifest.json')) && deaths++ > 1) return die()
      return transaction(work)
    }
    let deaths = 0
    Object.assign(db, { transaction: dying, ...(script && { script: die }) })
    await expect(archive(MARCH, folder, true)).rejects.toThrow('killed')
    Object.assign(db, { transaction, ...(script && { script }) })
    expect((await readdir(folder)).filter((name) => name.startsWith('.'))).toEqual([])
    expect(await charged()).toBe(60)
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true })

    clock.now += 61
    await archive(MARCH, folder, true)

    expect(await charged()).toBe(0)
    const all = await Promise.all(
      (await readdir(folder)).filter((name) => name.endsWith('.gz')).map((file) => linesOf(folder, file)),
    )
    expect(new Set(chargesIn(all.flat()).map(({ request_id }) => request_id)).size).toBe(60)
    expect(chargesIn(all.flat())).toHaveLength(60)
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true })
  })
})

onBoth('what is no whole archive', (open) => {
  test('is detected by its checksum, and nothing is removed because of it', async () => {
    const { charges, archive, charged } = await openAt(open)
    await charges(JANUARY, 3)
    const folder = await testFolder()
    await archive(MARCH, folder)
    const path = join(folder, 'logs-2026-01-001.jsonl.gz')
    expect(await verifyArchive(path)).toMatchObject({ file: 'logs-2026-01-001.jsonl.gz' })
    const bytes = await readFile(path)

    await truncate(path, bytes.length - 20)
    await expect(verifyArchive(path)).rejects.toMatchObject({ code: 'LOG_ARCHIVE_DAMAGED' })
    await expect(archive(MARCH, folder, true)).rejects.toMatchObject({ code: 'LOG_ARCHIVE_DAMAGED' })
    await writeFile(path, Buffer.concat([bytes, bytes]))
    await expect(verifyArchive(path)).rejects.toMatchObject({ code: 'LOG_ARCHIVE_DAMAGED' })

    expect(await charged()).toBe(3)
  })

  test('without a manifest is ignored: the rows get a new file', async () => {
    const { charges, archive } = await openAt(open)
    await charges(JANUARY, 3)
    const folder = await testFolder()
    await writeFile(join(folder, 'logs-2026-01-001.jsonl.gz'), 'half')

    const { files } = await archive(MARCH, folder)

    expect(files.map(({ file }) => file)).toEqual(['logs-2026-01-002.jsonl.gz'])
    expect(await readFile(join(folder, 'logs-2026-01-001.jsonl.gz'), 'utf8')).toBe('half')
  })

  test('is rejected for common users, without an absolute folder, or with an impossible folder', async () => {
    const { fixture, person, archive } = await openAt(open)
    const file = join(await testFolder(), 'file')
    await writeFile(file, '')
    const { toolkit } = fixture
    const request = { folder: file, before: MARCH, remove: true }
    const refused = (actor: Person, changed: Partial<typeof request>) =>
      expect(toolkit.logArchive.archive(actor, { ...request, ...changed })).rejects

    await refused(person, {}).toMatchObject({ code: 'PERMISSION_DENIED' })
    await refused(fixture.root, { folder: 'relative' }).toMatchObject({ code: 'LOG_ARCHIVE_FOLDER' })
    await refused(fixture.root, { before: 0 }).toMatchObject({ code: 'CLEAR_TIME_MISSING' })
    await expect(archive(MARCH, file, true)).rejects.toMatchObject({ code: 'LOG_ARCHIVE_FAILED' })
  })
})
