import { noun, plainVerb, YES } from '../run/verbs.ts'
import { dbCheck } from './db/check.ts'
import { dbRepair } from './db/repair.ts'
import { dbStatus } from './db/status.ts'

interface RestoreOptions {
  yes?: boolean
  key?: string
}

export const db = noun('db', [
  dbStatus,
  plainVerb({
    name: 'migrate',
    description: 'Apply pending migrations, all or none; the next gateway start would, too',
    example: 'tollgate db migrate',
    async run(cli) {
      const [{ localConfig }, { databaseState }, { openToolkit }, { MIGRATIONS }] = await Promise.all([
        import('../local/require-local.ts'),
        import('../database-state.ts'),
        import('../../core/toolkit.ts'),
        import('../../core/db/migrations/list.ts'),
      ])
      const config = await localConfig(cli)
      const state = await databaseState(config)
      const applied = state.exists ? state.pending : MIGRATIONS.map(({ name }) => name)
      if (applied.length === 0)
        return cli.report(cli.say`Nothing to do: all migrations are already applied.`, { applied })
      // `openToolkit` checks the master key first, so that it does not migrate a foreign database.
      await (await openToolkit(config)).close()
      cli.report(cli.say`Applied ${applied.join(', ')}.`, { applied })
    },
  }),
  plainVerb({
    name: 'backup',
    description: 'Back up the database to a new file; the gateway can keep running',
    examples: ['tollgate db backup tollgate-backup.db', 'tollgate db backup whole.db --with-key'],
    syntax: (command) =>
      command
        .argument('<file>', 'file to create, readable only by you')
        .option('--force', 'replace an existing file once the copy is complete')
        .option('--with-key', 'also copy the master key to <file>.secret'),
    async run(cli, file: string, { withKey, force }: { withKey?: true; force?: true }) {
      const { backUp } = await import('./db/back-up.ts')
      await backUp(cli, file, { withKey: withKey === true, force: force === true })
    },
  }),
  plainVerb({
    name: 'restore',
    description: 'Restore a backup, and move the current database aside; stop the gateway first',
    help: `First checks the integrity and version of the file, and whether the master key fits. On PostgreSQL, pg_restore reads it.

Examples:
  tollgate db restore tollgate-backup.db
  tollgate db restore whole.db --key whole.db.secret --yes`,
    syntax: (command) =>
      command
        .argument('<file>', 'file from tollgate db backup')
        .option('--key <file>', 'master key file of the backup (default: <file>.secret, else the current key)')
        .option(...YES),
    async run(cli, file: string, { yes, key }: RestoreOptions) {
      const { restore } = await import('./db/restore/run.ts')
      await restore(cli, file, { yes: yes === true, keyFile: key })
    },
  }),
  plainVerb({
    name: 'copy',
    description: 'Copy a database while the gateway runs, also between SQLite and PostgreSQL',
    help: `Copies rows while the gateway runs, then the changes made meanwhile. When little is left, asks you to stop the gateway, copies the
rest, and compares counts, sums and digests of all tables. Then start the gateway on the new database.

Example:
  tollgate db copy sqlite:./data/tollgate.db postgres://tollgate@127.0.0.1/tollgate`,
    syntax: (command) =>
      command
        .argument('<from>', 'sqlite:PATH or postgres://…')
        .argument('<to>', 'same formats; a new or empty database')
        .option('--while-running', 'copy a snapshot; the gateway keeps its database, as for a test'),
    async run(cli, from: string, to: string, { whileRunning }: { whileRunning?: true }) {
      const { runCopy } = await import('./db/copy-run.ts')
      await runCopy(cli, { from, to, whileRunning: whileRunning === true })
    },
  }),
  dbCheck,
  dbRepair,
])
