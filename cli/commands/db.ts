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
    description: 'Apply the migrations that are pending, all or none; the next start of the gateway would do the same',
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
      if (applied.length === 0) return cli.report(cli.say`Nothing to do: all migrations are applied.`, { applied })
      // `openToolkit` checks the master key first, so that it does not migrate a foreign database.
      await (await openToolkit(config)).close()
      cli.report(cli.say`Applied ${applied.join(', ')}.`, { applied })
    },
  }),
  plainVerb({
    name: 'backup',
    description: 'Copy all of the database, as it is at one moment, to a new file; the gateway may go on running',
    examples: ['tollgate db backup tollgate-backup.db', 'tollgate db backup whole.db --with-key'],
    syntax: (command) =>
      command
        .argument('<file>', 'file to write; only you will be able to read it')
        .option('--force', 'replace the file if it exists, once the copy is whole')
        .option('--with-key', 'copy the master key too, to <file>.secret'),
    async run(cli, file: string, { withKey, force }: { withKey?: true; force?: true }) {
      const { backUp } = await import('./db/back-up.ts')
      await backUp(cli, file, { withKey: withKey === true, force: force === true })
    },
  }),
  plainVerb({
    name: 'restore',
    description: 'Put a backup in the place of the database, which is moved aside; no gateway may be running',
    help: `The file is checked first: its integrity, its version and whether the master key fits. On PostgreSQL it is read by pg_restore.

Examples:
  tollgate db restore tollgate-backup.db
  tollgate db restore whole.db --key whole.db.secret --yes`,
    syntax: (command) =>
      command
        .argument('<file>', 'file that tollgate db backup has written')
        .option('--key <file>', 'file with the master key of the backup (default: <file>.secret, else the present key)')
        .option(...YES),
    async run(cli, file: string, { yes, key }: RestoreOptions) {
      const { restore } = await import('./db/restore/run.ts')
      await restore(cli, file, { yes: yes === true, keyFile: key })
    },
  }),
  plainVerb({
    name: 'copy',
    description: 'Copy a database to another one, also between SQLite and PostgreSQL, while the gateway runs',
    help: `Rows are copied while the gateway serves, then what was written meanwhile. When little is left, the command asks you to stop the
gateway, takes the rest, and compares counts, sums and a digest of every table. Start the gateway on the new database then.

Example:
  tollgate db copy sqlite:./data/tollgate.db postgres://tollgate@127.0.0.1/tollgate`,
    syntax: (command) =>
      command
        .argument('<from>', 'sqlite:PATH or postgres://…')
        .argument('<to>', 'the same; a database that is new or empty')
        .option('--while-running', 'copy one moment of a gateway that goes on with the old database, as for a test'),
    async run(cli, from: string, to: string, { whileRunning }: { whileRunning?: true }) {
      const { runCopy } = await import('./db/copy-run.ts')
      await runCopy(cli, { from, to, whileRunning: whileRunning === true })
    },
  }),
  dbCheck,
  dbRepair,
])
