import type { DatabaseFacts } from '../../core/db/facts.ts'
import type { SequenceBehind } from '../../core/db/sequences.ts'
import type { Column } from '../output/column.ts'
import { noun, plainVerb, YES } from '../run/verbs.ts'
import { dbCheck } from './db/check.ts'

interface RestoreOptions {
  yes?: boolean
  key?: string
}

const SEQUENCE_COLUMNS: readonly Column<SequenceBehind>[] = [
  { name: 'table', value: ({ table }) => table },
  { name: 'sequence', value: ({ sequence }) => sequence },
  { name: 'next-id', value: ({ next }) => String(next), align: 'right' },
  { name: 'largest-id', value: ({ largest }) => String(largest), align: 'right' },
]

const dbRepair = plainVerb({
  name: 'repair',
  description: 'db.fixPostgreSQLSequencesBehindTheirTables',
  examples: ['tollgate db repair --yes'],
  syntax: (command) => command.option(...YES),
  async run(cli, { yes = false }: { yes?: boolean }) {
    const [{ withDatabase }, { findSequencesBehind, repairSequences }, copies, { readTables }] = await Promise.all([
      import('./db/open.ts'),
      import('../../core/db/sequences.ts'),
      import('../../core/db/copy/changes.ts'),
      import('../../core/db/copy/tables.ts'),
    ])
    await withDatabase(cli, async (db) => {
      const behind = await findSequencesBehind(db)
      const changes = await copies.countChangesOfCopy(db)
      // Asks both questions before the first change, because a declined question reports that nothing was changed.
      if (behind.length > 0)
        await cli.confirm(cli.t('db.setSequencesAfterTheLargestIDs', { count: behind.length }), { yes })
      if (changes !== undefined) await cli.confirm(cli.t('db.removeTheTriggersOfACopy', { changes }), { yes })
      if (behind.length > 0) await repairSequences(db)
      if (changes !== undefined) {
        await copies.removeTriggers(db, await readTables(db))
        cli.note(cli.t('db.removedTheTriggersOfACopy'))
        if (behind.length === 0 && !cli.json) return
      }
      await cli.print(behind, { columns: SEQUENCE_COLUMNS, empty: cli.t('db.nothingToRepair') })
    })
  },
})

const MEGABYTE = 1024 * 1024
const megabytes = (bytes: number) => `${(bytes / MEGABYTE).toFixed(1)} MB`

const STATUS_COLUMNS: readonly Column<DatabaseFacts>[] = [
  { name: 'database', value: ({ database }) => database },
  { name: 'kind', value: ({ kind }) => kind },
  { name: 'size', value: ({ bytes }) => megabytes(bytes) },
  {
    name: 'not-in-the-main-file-yet',
    value: ({ kind, wal_bytes }) => (kind === 'sqlite' ? megabytes(wal_bytes) : '-'),
  },
  { name: 'migrations-applied', value: ({ applied }) => applied.map(({ name }) => name).join(', ') || '-' },
  {
    name: 'migrations-pending',
    value: ({ pending }) => pending.join(', ') || '-',
    tone: ({ pending }) => (pending.length > 0 ? 'bad' : undefined),
  },
  {
    name: 'rows,-of-logs-about',
    value: ({ rows }) =>
      Object.entries(rows)
        .map((row) => row.join(' '))
        .join(', ') || '-',
  },
]

const dbStatus = plainVerb({
  name: 'status',
  description: 'db.showTheLocation',
  examples: ['tollgate db status'],
  async run(cli) {
    const [{ withDatabase }, { databaseFacts }] = await Promise.all([
      import('./db/open.ts'),
      import('../../core/db/facts.ts'),
    ])
    await cli.show(await withDatabase(cli, databaseFacts), { columns: STATUS_COLUMNS })
  },
})

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
      // `openToolkit` checks the master key before it migrates, so that a database with another key is not migrated.
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
        .option('--force', 'list.replaceAnExistingFile')
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
