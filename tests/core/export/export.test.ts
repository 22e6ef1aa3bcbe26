import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { GATEWAY } from '../../../core/actor.ts'
import { readTables } from '../../../core/db/copy/tables.ts'
import type { Manifest } from '../../../core/export/exports.ts'
import { EXPORTED_TABLES, LEFT_OUT } from '../../../core/export/tables.ts'
import { openSource } from '../../../core/import/sources/open.ts'
import { openToolkit } from '../../../core/toolkit.ts'
import { whenDone } from '../../support/lifetime.ts'
import { createNewApiDatabase, PEER_PASSWORD, peerKey } from '../../support/peers/new-api.js'
import { NEW_API_TABLES } from '../../support/peers/schemas.js'
import { onBoth, type TestToolkit, testFolder } from '../../support/toolkit.ts'

const ACTOR = { ...GATEWAY, origin: { address: 'terminal', osUser: 'operator' } }

async function moveIn({ toolkit }: Pick<TestToolkit, 'toolkit'>, file: string) {
  const source = await openSource(file)
  whenDone(() => source.close())
  return toolkit.imports.run(ACTOR, { product: 'new-api', source, logs: 'all' })
}

onBoth('an export', (open) => {
  async function openFilled() {
    const fixture = await open()
    const file = join(await testFolder(), 'one-api.db')
    await createNewApiDatabase(file, { users: 50, tokens: 60, logs: 6000 })
    await moveIn(fixture, file)
    await fixture.channel({ key: 'sk-of-the-channel' })
    const { managementKeys, limits, notices, responses } = fixture.toolkit
    await managementKeys.create(fixture.root, { name: 'ci', scopes: ['logs:read'] })
    await limits.set(fixture.root, [
      { subject: 'user', subject_id: '*', measure: 'requests', period: 'day', amount: 1234 },
    ])
    await notices.targets.create(fixture.root, {
      kind: 'webhook',
      name: 'hook',
      settings: { url: 'https://hooks.example/secret-path', secret: 'w'.repeat(32) },
      events: ['channel.disabled'],
      gateway: true,
    })
    const message = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'a kept question' }] }
    await responses.add({ userId: 1, tokenId: 1 }, { id: 'resp_1', response: { id: 'resp_1' }, input: [message] })
    return { ...fixture, file }
  }

  test('to a folder has every row, and matching sums and checksums', async () => {
    const fixture = await openFilled()
    const folder = join(await testFolder(), 'out')

    const manifest = await fixture.toolkit.exports.toFolder(ACTOR, folder, { withSecrets: true })

    expect(JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'))).toEqual(manifest)
    expect((await readdir(folder)).sort()).toEqual([...manifest.files.map(({ file }) => file), 'manifest.json'].sort())
    for (const { table, file, rows, sha256, sums } of manifest.files) {
      const bytes = await readFile(join(folder, file))
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256)
      const lines = bytes
        .toString('utf8')
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Record<string, number>)
      const counted = Number((await fixture.toolkit.db.reader(table).count({ n: '*' }).first())?.n)
      expect({ table, rows: lines.length }).toEqual({ table, rows })
      // The export itself is in the audit.
      if (table !== 'audit') expect({ table, rows }).toEqual({ table, rows: counted })
      for (const [column, sum] of Object.entries(sums))
        expect(lines.reduce((total, row) => total + Number(row[column]), 0)).toBe(sum)
      expect((await stat(join(folder, file))).mode & 0o077).toBe(0)
    }
    const tokens = await readFile(join(folder, 'tokens.jsonl'), 'utf8')
    expect(tokens).toContain(`"key":"${peerKey(7)}"`)
    expect(tokens).not.toContain('key_hash')
    const text = (table: string) => readFile(join(folder, `${table}.jsonl`), 'utf8')
    expect(await text('channels')).toContain('sk-of-the-channel')
    expect(await text('limits')).toContain('"amount":1234')
    expect(await text('management_keys')).toMatch(/"name":"ci"/)
    expect(await text('management_keys')).not.toContain('key_hash')
    expect(await text('notice_targets')).toContain('hooks.example/secret-path')
    expect(await text('stored_responses')).toContain('a kept question')
    expect((await text('import_rows')).split('\n').length).toBeGreaterThan(110)
  })

  test('has a file for each table of the schema, except those with a reason', async () => {
    const { toolkit } = await open()
    const described = await readTables(toolkit.db)
    const tables = described.map(({ table }) => table)
    const exported = EXPORTED_TABLES.map(({ table }) => table)
    const accounted = [...exported, ...Object.keys(LEFT_OUT)]
    expect(accounted.filter((table, at) => accounted.indexOf(table) !== at)).toEqual([])
    expect(tables.filter((table) => !accounted.includes(table))).toEqual([])
    // Those are made only by the database itself, or by a copy.
    const others = new Set(['migrations', 'copy_changes'])
    expect(accounted.filter((table) => !tables.includes(table) && !others.has(table))).toEqual([])
    // A page of rows ends at a row that no other one equals.
    const keys = new Map(described.map(({ table, key }) => [table, [...key].sort()]))
    for (const { table, order } of EXPORTED_TABLES) expect([table, keys.get(table)]).toEqual([table, [...order].sort()])
  })

  test('without secrets contains none', async () => {
    const fixture = await openFilled()
    const folder = join(await testFolder(), 'out')
    await fixture.toolkit.exports.toFolder(ACTOR, folder, { withSecrets: false })
    const all = (await Promise.all((await readdir(folder)).map((file) => readFile(join(folder, file), 'utf8')))).join(
      '',
    )
    expect(all).not.toMatch(/sk-of-the-channel|v1:|secret of github|secret-path|a kept question/)
    expect(all).not.toContain(peerKey(7))
  })

  test('to new-api has its schema and equal sums, and another Tollgate can import it', async () => {
    const fixture = await openFilled()
    await fixture.toolkit.accounts.login({ username: 'user5', password: PEER_PASSWORD })
    const file = join(await testFolder(), 'new.db')

    const result = await fixture.toolkit.exports.toNewApi(ACTOR, file)

    // root of this gateway, and the user who has signed in since.
    expect(result.passwordsToSet).toBe(2)
    expect((await stat(file)).mode & 0o077).toBe(0)
    const peer = await openSource(file)
    whenDone(() => peer.close())
    for (const table of Object.keys(NEW_API_TABLES)) {
      const wanted = (NEW_API_TABLES[table] ?? '')
        .replace(/\([^)]*\)/g, '')
        .split(',')
        .map((column) => column.trim().split(/\s/)[0]?.replaceAll('"', ''))
      expect({ table, columns: (await peer.columns(table)).sort() }).toEqual({
        table,
        columns: wanted.filter((name) => name !== 'PRIMARY').sort(),
      })
    }
    for (const { table, sums, rows } of result.tables) {
      const [found] = await peer.query(`SELECT COUNT(*) AS n FROM "${table}"`)
      expect({ table, n: found?.n }).toEqual({ table, n: rows })
      for (const [column, sum] of Object.entries(sums)) {
        const [there] = await peer.query(`SELECT SUM("${column}") AS total FROM "${table}"`)
        const here = await fixture.toolkit.db.reader(table).sum({ total: column }).first()
        expect({ table, column, total: Number(there?.total) }).toEqual({ table, column, total: sum })
        expect(Number(here?.total)).toBe(sum)
      }
    }
    const [token] = await peer.query(`SELECT * FROM tokens WHERE "key" = '${peerKey(7)}'`)
    expect(token).toMatchObject({ status: 1, name: 'key 7' })
    const [user] = await peer.query(`SELECT password FROM users WHERE username = 'user6'`)
    expect(user?.password).toMatch(/^\$2a\$/)

    const dataFolder = await testFolder()
    const toolkit = await openToolkit({
      databaseUrl: `sqlite:${join(dataFolder, 'x.db')}`,
      secret: 'a secret of this test',
      dataFolder,
    })
    whenDone(() => toolkit.close())
    const back = await moveIn({ toolkit }, file)
    expect(
      back.tables.flatMap(({ sums }) => Object.values(sums)).filter(({ source, target }) => source !== target),
    ).toEqual([])
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true })
    expect((await toolkit.accounts.login({ username: 'user6', password: PEER_PASSWORD })).user.username).toBe('user6')
  })

  test('is rejected for an existing target, and leaves no files after a failure', async () => {
    const { toolkit, user } = await open()
    const folder = await testFolder()
    await writeFile(join(folder, 'mine.txt'), 'x')
    const failed = { code: 'EXPORT_FAILED' }
    await expect(toolkit.exports.toFolder(ACTOR, folder, { withSecrets: true })).rejects.toMatchObject(failed)
    await expect(toolkit.exports.toNewApi(ACTOR, join(folder, 'mine.txt'))).rejects.toMatchObject(failed)
    await expect(toolkit.exports.toNewApi(ACTOR, join(folder, 'none', 'x.db'))).rejects.toMatchObject(failed)
    expect(await readdir(folder)).toEqual(['mine.txt'])

    const stopped = new AbortController()
    stopped.abort(new Error('stop'))
    const out = join(folder, 'out')
    await expect(toolkit.exports.toFolder(ACTOR, out, { withSecrets: true, signal: stopped.signal })).rejects.toThrow(
      'stop',
    )
    expect(existsSync(out)).toBe(false)
    await mkdir(out)
    await expect(toolkit.exports.toFolder(ACTOR, out, { withSecrets: true, signal: stopped.signal })).rejects.toThrow(
      'stop',
    )
    expect(await readdir(out)).toEqual([])

    const admin = await user({ role: 10 })
    await expect(toolkit.exports.toFolder(admin, out, { withSecrets: true })).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    })
    await expect(toolkit.exports.toNewApi(admin, join(out, 'x.db'))).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    })
  })
})

test('a manifest contains its version', async () => {
  const dataFolder = await testFolder()
  const toolkit = await openToolkit({
    databaseUrl: `sqlite:${join(dataFolder, 'x.db')}`,
    secret: 'a secret of this test',
    dataFolder,
  })
  whenDone(() => toolkit.close())
  const manifest: Manifest = await toolkit.exports.toFolder(ACTOR, join(dataFolder, 'out'), { withSecrets: true })
  expect(manifest).toMatchObject({ format: 'tollgate-export', version: 1, secrets: true })
})
