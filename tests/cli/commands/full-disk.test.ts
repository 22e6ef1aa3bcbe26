import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { smallDisk } from '../../support/small-disk.ts'
import { createWorld } from '../support.ts'

const DISK_KB = 200

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => statSync(join(folder, name)).isFile())

test.for([
  ['log export', ['log', 'export', '--output', 'rows.jsonl'], 'cannot write'],
  ['log export --force', ['log', 'export', '--output', 'rows.jsonl', '--force'], 'cannot write'],
  [
    'log archive',
    ['log', 'archive', '--before', '2026-03-01', '--to', '.', '--remove', '--yes'],
    'cannot archive log rows',
  ],
  ['db backup', ['db', 'backup', 'backup.db'], 'backup failed'],
  ['export', ['export', 'out'], 'nothing was exported'],
  ['export --to new-api', ['export', '--to', 'new-api', 'peer.db'], 'nothing was exported'],
] as const)('%s to a full disk ends with one line, exit code 1 and no file', async ([, words, text], { skip }) => {
  const disk = (await smallDisk(DISK_KB)) ?? skip('this user may not mount a small disk')
  const world = await createWorld()
  await world.inside(({ db }) =>
    db.transaction((trx) =>
      trx.raw(`INSERT INTO logs (user_id, username, type, content, created_at)
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
        SELECT 1, 'many', 4, hex(randomblob(50)), 1767225600 + i FROM n`),
    ),
  )
  const places = new Set(['rows.jsonl', '.', 'backup.db', 'out', 'peer.db'])
  const there = words.map((word) => (places.has(word) ? join(disk, word) : word))

  const failed = await world.run(there)

  expect(failed).toMatchObject({ exitCode: 1, stdout: '' })
  const errors = failed.stderr.split('\n').filter((line) => line.startsWith('error: '))
  expect(errors).toHaveLength(1)
  expect(errors[0]).toContain(text)
  expect(errors[0]).toMatch(/ENOSPC|SQLITE_FULL/)
  expect(filesIn(disk)).toEqual([])
  expect(await world.inside(({ db }) => db.reader('logs').where({ username: 'many' }).pluck('id'))).toHaveLength(5000)
})

test('codes for a full disk end with one line; the same key writes the rest elsewhere', async ({ skip }) => {
  const disk = (await smallDisk(DISK_KB)) ?? skip('this user may not mount a small disk')
  const world = await createWorld()
  const words = ['redemption', 'create', '--count', '7000', '--quota', '5', '--idempotency-key', 'k']
  const whole = join(world.folder, 'codes.txt')

  const failed = await world.run([...words, '--output', join(disk, 'codes.txt')])
  const again = await world.run([...words, '--output', whole])

  expect(failed.exitCode).toBe(1)
  expect(failed.stderr).toMatch(/^error: cannot write .*codes\.txt: ENOSPC: /m)
  expect(failed.stderr).not.toContain('unexpected')
  expect(again.exitCode).toBe(0)
  const codes = readFileSync(whole, 'utf8').trimEnd().split('\n')
  expect(new Set(codes).size).toBe(7000)
  expect(await world.inside(({ db }) => db.reader('redemptions').orderBy('id').pluck('key'))).toEqual(codes)
})

test('a full disk of the database is named, with the next step', async ({ skip }) => {
  const disk = (await smallDisk(DISK_KB)) ?? skip('this user may not mount a small disk')
  const { run } = await createWorld({}, { isEmpty: true })

  const failed = await run(['db', 'migrate', '--database', `sqlite:${join(disk, 'tollgate.db')}`])

  expect(failed).toMatchObject({
    ...{ exitCode: 1, stdout: '' },
    stderr: 'error: the disk of the database is full: free some space, then run the command again',
  })
})
