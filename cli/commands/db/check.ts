import { Command } from 'commander'
import type { Config } from '../../../core/config.ts'
import type { Database } from '../../../core/db/database.ts'
import type { Cli } from '../../cli.ts'
import type { Column } from '../../column.ts'
import { EXIT } from '../../errors.ts'

interface Check {
  check: string
  ok: boolean
  message: string
}

const COLUMNS: readonly Column<Check>[] = [
  { title: 'check', value: ({ check }) => check },
  { title: 'result', value: ({ ok }, { text }) => text(ok ? 'ok' : 'bad'), tone: ({ ok }) => (ok ? 'good' : 'bad') },
  { title: 'found', value: ({ message }) => message || '-' },
]

export function dbCheck(cli: Cli): Command {
  return new Command('check')
    .description(
      'Check the database: key, migrations, integrity, references and the books; exit code 1 when something is bad',
    )
    .addHelpText('after', '\nExample:\n  tollgate db check')
    .action(async () => {
      const { withDatabase } = await import('./open.ts')
      const found = await withDatabase(cli, (db, config) => check(cli, db, config))
      if (found.some(({ ok }) => !ok)) cli.exitCode = EXIT.failed
      await cli.print(found, { columns: COLUMNS, empty: '' })
    })
}

async function check(cli: Cli, db: Database, config: Config): Promise<Check[]> {
  const [{ databaseFacts }, { findDamage }, { verifyBooks }, { openSecrets }] = await Promise.all([
    import('../../../core/db/facts.ts'),
    import('../../../core/db/integrity.ts'),
    import('../../../core/ledger/verify.ts'),
    import('../../../core/master-key.ts'),
  ])
  // Throws by itself when it is another database's key.
  await openSecrets(db, config)
  const { pending } = await databaseFacts(db)
  const damage = await findDamage(db)
  const found: Check[] = [
    { check: 'master key', ok: true, message: cli.say`it is the one of this database` },
    {
      check: 'migrations',
      ok: pending.length === 0,
      message: pending.length ? cli.say`${pending.join(', ')} pending: tollgate db migrate` : cli.say`all are applied`,
    },
    {
      check: 'integrity',
      ok: damage.length === 0,
      message: damage.length
        ? damage.map(({ where, what }) => `${where}: ${what}`).join('; ')
        : cli.say`no damage, no reference to what is not there`,
    },
  ]
  // Older tables have other columns.
  if (pending.length > 0) return found
  const { equal, users, differences } = await verifyBooks(db.reader)
  const message = equal
    ? cli.say`the books balance for ${users} users`
    : cli.say`the books differ for ${differences.length} of ${users} users: tollgate ledger verify`
  return [...found, { check: 'books', ok: equal, message }]
}
