import type { Config } from '../../../core/config.ts'
import type { Database } from '../../../core/db/database.ts'
import type { Cli } from '../../cli.ts'
import { EXIT, failureOf } from '../../errors.ts'
import type { Column } from '../../output/column.ts'
import { withClock } from '../../output/progress.ts'
import { plainVerb } from '../../run/verbs.ts'

interface Check {
  check: string
  ok: boolean
  message: string
}

const COLUMNS: readonly Column<Check>[] = [
  { name: 'check', value: ({ check }) => check },
  {
    name: 'result',
    value: ({ ok }, { t }) => t(ok ? 'label.ok' : 'label.bad'),
    tone: ({ ok }) => (ok ? 'good' : 'bad'),
  },
  { name: 'found', value: ({ message }) => message || '-' },
]

export const dbCheck = plainVerb({
  name: 'check',
  description: 'db.checkIntegrity',
  examples: ['tollgate db check'],
  async run(cli) {
    const { withDatabase } = await import('./open.ts')
    const checks = await withDatabase(cli, (db, config) =>
      withClock(cli.stderr, cli.t('db.checkingTheDatabase'), () => checkAll(cli, db, config)),
    )
    if (checks.some(({ ok }) => !ok)) cli.exitCode = EXIT.failed
    await cli.print(checks, { columns: COLUMNS, empty: '' })
  },
})

/** Result of a check; undefined if the check does not apply to this database. */
type Result = Omit<Check, 'check'> | undefined

/** Runs all checks, integrity first. A check that throws has failed. The other checks still run. */
async function checkAll(cli: Cli, db: Database, config: Config): Promise<Check[]> {
  const checks: [string, () => Promise<Result>][] = [
    ['integrity', () => integrity(cli, db)],
    ['master key', () => masterKey(cli, db, config)],
    ['migrations', () => migrations(cli, db)],
    ['references', () => references(cli, db)],
    ['sequences', () => sequences(cli, db)],
    ['copy', () => copy(cli, db)],
    ['books', () => books(cli, db, config)],
  ]
  const results: Check[] = []
  for (const [check, run] of checks) {
    const result = await run().catch((error: unknown) => ({ ok: false, message: failureOf(error, cli).message }))
    if (result) results.push({ check, ...result })
  }
  return results
}

const damageText = (damage: readonly { where: string; what: string }[]): string =>
  damage.map(({ where, what }) => `${where}: ${what}`).join('; ')

async function integrity(cli: Cli, db: Database): Promise<Result> {
  const { findCorruption } = await import('../../../core/db/integrity.ts')
  const damage = await findCorruption(db)
  return { ok: damage.length === 0, message: damage.length ? damageText(damage) : cli.t('db.noDamage') }
}

async function masterKey(cli: Cli, db: Database, config: Config): Promise<Result> {
  const { openSecrets } = await import('../../../core/master-key.ts')
  // Throws if the key belongs to another database.
  await openSecrets(db, config)
  return { ok: true, message: cli.t('db.matchesThisDatabase') }
}

async function migrations(cli: Cli, { reader }: Database): Promise<Result> {
  const { pendingMigrations } = await import('../../../core/db/migrate.ts')
  const pending = await pendingMigrations(reader)
  const message = pending.length
    ? cli.t('db.pendingTollgateDbMigrate', { pending: pending.join(', ') })
    : cli.t('db.allApplied')
  return { ok: pending.length === 0, message }
}

async function references(cli: Cli, db: Database): Promise<Result> {
  const { findLostReferences } = await import('../../../core/db/integrity.ts')
  const lostReferences = await findLostReferences(db)
  return {
    ok: lostReferences.length === 0,
    message: lostReferences.length ? damageText(lostReferences) : cli.t('db.noDanglingReferences'),
  }
}

async function sequences(cli: Cli, db: Database): Promise<Result> {
  if (db.kind !== 'postgres') return undefined
  const { findSequencesBehind } = await import('../../../core/db/sequences.ts')
  const behind = await findSequencesBehind(db)
  const message = behind.length
    ? cli.t('db.theNextIdIsAlready', { sequences: behind.map(({ table }) => table).join(', ') })
    : cli.t('db.allAheadOfTheirTables')
  return { ok: behind.length === 0, message }
}

async function copy(cli: Cli, db: Database): Promise<Result> {
  const { countChangesOfCopy } = await import('../../../core/db/copy/changes.ts')
  const changes = await countChangesOfCopy(db)
  if (changes === undefined) return undefined
  const message = cli.t('db.aCopyIsRunning', { changes })
  return { ok: false, message }
}

async function books(cli: Cli, db: Database, config: Config): Promise<Result> {
  const { reader } = db
  const [{ verifyBooks }, { signWith }, { pendingMigrations }, { openSecrets }] = await Promise.all([
    import('../../../core/ledger/verify.ts'),
    import('../../../core/ledger/chain.ts'),
    import('../../../core/db/migrate.ts'),
    import('../../../core/master-key.ts'),
  ])
  // Older tables have other columns, so the check needs all migrations.
  if ((await pendingMigrations(reader)).length > 0) return undefined
  // Without the key, `verifyBooks` skips only the entry chain.
  const secrets = await openSecrets(db, config).catch(() => undefined)
  const { equal, users, differences, rows } = await verifyBooks(db, secrets && signWith(secrets))
  const message = equal
    ? cli.t('doctor.theLedgerBalancesForUsers', { count: users })
    : cli.t('db.theLedgerDiffersInRows', { count: differences.length + rows.length })
  return { ok: equal, message }
}
