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
    description: 'db.applyPendingMigrations',
    examples: ['tollgate db migrate'],
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
      if (applied.length === 0) return cli.report(cli.t('db.nothingToDo'), { applied })
      // `openToolkit` checks the master key before it migrates, so that a foreign database is not migrated.
      await (await openToolkit(config)).close()
      cli.report(cli.t('db.applied', { applied: applied.join(', ') }), { applied })
    },
  }),
  plainVerb({
    name: 'backup',
    description: 'db.backUpTheDatabase',
    examples: ['tollgate db backup tollgate-backup.db', 'tollgate db backup whole.db --with-key'],
    syntax: (command) =>
      command
        .argument('<file>', 'db.fileToCreate')
        .option('--force', 'db.replaceAnExistingFileOnce')
        .option('--with-key', 'db.alsoCopyTheMasterKey'),
    async run(cli, file: string, { withKey, force }: { withKey?: true; force?: true }) {
      const { backUp } = await import('./db/back-up.ts')
      await backUp(cli, file, { withKey: withKey === true, force: force === true })
    },
  }),
  plainVerb({
    name: 'restore',
    description: 'db.restoreABackup',
    examples: ['tollgate db restore tollgate-backup.db', 'tollgate db restore whole.db --key whole.db.secret --yes'],
    syntax: (command) =>
      command
        .note('db.firstChecksTheIntegrityAndVersion')
        .argument('<file>', 'db.fileFromTollgateDbBackup')
        .option('--key <file>', 'db.masterKeyFileOfTheBackup')
        .option(...YES),
    async run(cli, file: string, { yes, key }: RestoreOptions) {
      const { restore } = await import('./db/restore/run.ts')
      await restore(cli, file, { yes: yes === true, keyFile: key })
    },
  }),
  plainVerb({
    name: 'copy',
    description: 'moving.copyADatabaseWhileTheGateway',
    examples: ['tollgate db copy sqlite:./data/tollgate.db postgres://tollgate@127.0.0.1/tollgate'],
    syntax: (command) =>
      command
        .note('moving.copiesRowsWhileTheGatewayRuns')
        .argument('<from>', 'setting.DATABASE_URL')
        .argument('<to>', 'moving.sameFormats')
        .option('--while-running', 'moving.copyASnapshot'),
    async run(cli, from: string, to: string, { whileRunning }: { whileRunning?: true }) {
      const { runCopy } = await import('./db/copy-run.ts')
      await runCopy(cli, { from, to, whileRunning: whileRunning === true })
    },
  }),
  dbCheck,
  dbRepair,
])
