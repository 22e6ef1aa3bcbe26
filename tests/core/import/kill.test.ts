import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import type { LocalToolkit } from '../../../core/toolkit.ts'
import { createWorld, type World } from '../../cli/support.ts'
import { createNewApiDatabase } from '../../support/peers/new-api.js'
import { createPostgresDatabase } from '../../support/postgres.ts'
import { skipWithoutPostgres, testFolder } from '../../support/toolkit.ts'

const KILLS = 20
const SIZE = { users: 2000, tokens: 4000, channels: 20, logs: 30_000, counts: 4000 }

/** What an import makes, without what is new each time: sealed texts, hashes over times, and times. */
const TABLES = {
  users: ['id', 'username', 'password', 'role', 'quota', 'used_quota', 'email', 'inviter_id', 'aff_code'],
  tokens: ['id', 'user_id', 'key_hash', 'remain_quota', 'granted_quota', 'used_quota', 'unlimited_quota'],
  channels: ['id', 'name', 'type', 'models', 'used_quota'],
  abilities: ['channel_id', 'group', 'model', 'enabled'],
  redemptions: ['id', 'key', 'status', 'used_user_id'],
  top_ups: ['id', 'trade_no', 'status', 'quota'],
  logs: ['id', 'user_id', 'token_id', 'quota', 'created_at', 'other'],
  quota_data: ['user_id', 'created_at', 'model_name', 'quota', 'count'],
  model_hours: ['created_at', 'model_name', 'quota', 'count'],
  ledger_entries: ['user_id', 'kind', 'quota', 'balance_after', 'reference'],
  carried_sums: ['account', 'account_id', 'quota', 'requests'],
  import_rows: ['kind', 'source_row', 'target_row', 'quota', 'used', 'digest', 'import_id'],
} as const

async function fingerprints({ db }: LocalToolkit): Promise<Record<string, string>> {
  const digests: Record<string, string> = {}
  for (const [table, columns] of Object.entries(TABLES)) {
    const rows = await db.reader(table).select(...columns)
    const lines = rows.map((row) =>
      JSON.stringify(columns.map((column) => (typeof row[column] === 'boolean' ? Number(row[column]) : row[column]))),
    )
    digests[table] = `${rows.length} ${createHash('sha256').update(lines.sort().join('\n')).digest('hex')}`
  }
  return digests
}

async function importedFixture(file: string, settings: Record<string, string>, isDisturbed: boolean) {
  const fixture = await createWorld(settings, { isEmpty: true })
  const kills = isDisturbed ? await killOften(fixture, file) : 0
  const { exitCode, stderr } = await fixture.start(['import', 'new-api', file, '--yes'])
  expect({ exitCode, stderr: exitCode === 0 ? '' : stderr }).toEqual({ exitCode: 0, stderr: '' })
  return {
    kills,
    ...(await fixture.inside(async (toolkit) => ({
      prints: await fingerprints(toolkit),
      proof: await toolkit.ledger.verify(),
    }))),
  }
}

/** Each run is killed a little later than it takes to start, so that the kills fall all over the import. */
async function killOften(fixture: World, file: string): Promise<number> {
  let kills = 0
  while (kills < KILLS) {
    const running = fixture.start(['import', 'new-api', file, '--yes'])
    const isOver = await Promise.race([running.then(() => true), sleep(400 + Math.random() * 700).then(() => false)])
    if (isOver) break
    running.kill('SIGKILL')
    await running
    kills++
  }
  return kills
}

describe.each(['sqlite', 'postgres'] as const)('on %s', (database) => {
  if (database === 'postgres') beforeEach(skipWithoutPostgres)

  test('an import that is killed repeatedly ends with the same database as an undisturbed one', async () => {
    const file = join(await testFolder(), 'one-api.db')
    await createNewApiDatabase(file, SIZE)
    const settings = async (): Promise<Record<string, string>> =>
      database === 'postgres' ? { DATABASE_URL: await createPostgresDatabase() } : {}

    const whole = await importedFixture(file, await settings(), false)
    const killed = await importedFixture(file, await settings(), true)

    expect(killed.kills).toBeGreaterThan(0)
    expect(killed.prints).toEqual(whole.prints)
    expect(killed.proof).toMatchObject({ equal: true, quota: whole.proof.quota })
    console.log(`${killed.kills} kills on ${database}`)
  }, 180_000)
})
