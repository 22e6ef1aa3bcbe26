import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { copyDatabase } from '../../../core/db/copy/copy.ts'
import { openDatabase } from '../../../core/db/open.ts'
import { signWith } from '../../../core/ledger/chain.ts'
import { openSecrets } from '../../../core/master-key.ts'
import { createPostgresDatabase } from '../../support/postgres.ts'
import { skipWithoutPostgres } from '../../support/toolkit.ts'
import { createWorld, SECRET, type World } from '../support.ts'

const TARGETS = ['sqlite', 'postgres'] as const

const targetOf = async (kind: (typeof TARGETS)[number], { folder }: World): Promise<string> =>
  kind === 'postgres' ? createPostgresDatabase() : `sqlite:${join(folder, 'new', 'tollgate.db')}`

/**
 * Leaves what a copy leaves that is killed when it has copied a table. With `meanwhile`, the copy runs to its end instead, which waits
 * until no gateway uses the source.
 */
async function killCopy(from: string, to: string, atTable: string, meanwhile?: () => Promise<void>): Promise<unknown> {
  const [source, target] = [await openDatabase(from), await openDatabase(to)]
  try {
    const secrets = await openSecrets(source, { secret: SECRET, dataFolder: '' })
    const onProgress = ({ step, table = '' }: { step: string; table?: string }) => {
      if (!meanwhile && step === 'rows' && table >= atTable) throw new Error('killed')
    }
    const copying = copyDatabase(source, target, {
      ...{
        context: { sign: signWith(secrets) },
        whileRunning: !meanwhile,
        onProgress,
        signal: new AbortController().signal,
      },
    })
    await meanwhile?.()
    return await copying.then(
      () => undefined,
      (error: unknown) => error,
    )
  } finally {
    await source.close()
    await target.close()
  }
}

describe.each(TARGETS)('an unfinished copy to %s', (kind) => {
  if (kind === 'postgres') beforeEach(skipWithoutPostgres)

  // The audit is copied before the users, and its rows cannot be deleted.
  test.each(['audit', 'tokens'])(
    'that was killed at %s is named, is not used, and is copied again',
    async (table) => {
      const world = await createWorld()
      const from = world.env.DATABASE_URL
      await world.run(['token', 'create', 'app'])
      expect(await world.run(['option', 'set', 'SystemName', 'audited'])).toMatchObject({ exitCode: 0 })
      const to = await targetOf(kind, world)
      expect(await killCopy(from, to, table)).toMatchObject({ message: 'killed' })

      const command = `tollgate db copy ${from} `
      for (const words of [['db', 'status'], ['serve'], ['user', 'list'], ['db', 'copy', to, 'sqlite:third.db']]) {
        const isCopy = words[1] === 'copy'
        const { exitCode, stderr } = await world.run(isCopy ? words : [...words, '--database', to])
        expect(`${exitCode} ${stderr}`).toMatch(
          /^1 .* is an unfinished copy of sqlite:.*, started at 20\d\d-\d\d-\d\dT.*: it cannot be used/,
        )
        expect(stderr).toContain(command)
        expect(stderr).toContain('remove the new database')
      }
      const { stdout: found, exitCode: doctorExit } = await world.run(['doctor', '--json', '--database', to])
      expect(doctorExit).toBe(1)
      const finding = JSON.parse(found).find(({ check }: { check: string }) => check === 'database')
      expect(finding).toMatchObject({ status: 'fail', message: expect.stringContaining(command) })
      expect(finding.fix ?? '').toBe('')

      const other = await createWorld()
      const refused = await world.run(['db', 'copy', other.env.DATABASE_URL, to])
      expect(`${refused.exitCode} ${refused.stderr}`).toMatch(/^1 .* is an unfinished copy of/)

      expect(await world.run(['db', 'copy', from, to])).toMatchObject({ exitCode: 0 })
      const { exitCode, stdout } = await world.run(['token', 'list', '--database', to])
      expect(`${exitCode} ${stdout}`).toMatch(/^0 .*app/s)
      const target = await openDatabase(to)
      try {
        expect(await target.reader('audit').first('action')).toMatchObject({ action: expect.any(String) })
        await expect(target.transaction((trx) => trx('audit').delete())).rejects.toThrow('never changed or deleted')
        expect(await target.reader.schema.hasTable('unfinished_copy')).toBe(false)
      } finally {
        await target.close()
      }
    },
    120_000,
  )

  test('that runs while another copy to it begins does not end as if it were whole', async () => {
    const world = await createWorld()
    const from = world.env.DATABASE_URL
    const to = await targetOf(kind, world)
    const source = await openDatabase(from)
    const now = Math.floor(Date.now() / 1000)
    await source.transaction((trx) => trx('nodes').insert({ id: 'gateway', started_at: now, seen_at: now }))
    const error = await killCopy(from, to, '', async () => {
      const target = await openDatabase(to)
      await expect.poll(() => target.reader.schema.hasTable('unfinished_copy')).toBe(true)
      await target.transaction((trx) => trx('unfinished_copy').update({ run: 'of another copy' }))
      await source.transaction((trx) => trx('nodes').where({ id: 'gateway' }).delete())
      await target.close()
    })
    await source.close()
    expect(error).toMatchObject({ code: 'COPY_FAILED', params: { reason: expect.stringContaining('another copy') } })
    expect(await world.run(['serve', '--database', to])).toMatchObject({ exitCode: 1 })
  }, 60_000)
})

test('a copy leaves tables of other programs in the target as they are', async () => {
  const world = await createWorld()
  const to = `sqlite:${join(world.folder, 'shared.db')}`
  const before = await openDatabase(to)
  await before.transaction((trx) => trx.raw('CREATE TABLE theirs AS SELECT 1 AS id'))
  await before.close()
  expect(await world.run(['db', 'copy', world.env.DATABASE_URL, to])).toMatchObject({ exitCode: 0 })
  const after = await openDatabase(to)
  expect(await after.reader('theirs').select('id')).toEqual([{ id: 1 }])
  await after.close()
})
