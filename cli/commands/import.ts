import type { StoredImport } from '../../core/import/imports.ts'
import { InvalidValue } from '../command.ts'
import { pastTime, positiveInt, quotaArgument } from '../input/arguments.ts'
import type { Column } from '../output/column.ts'
import type { Format } from '../output/format.ts'
import { type CommandBuilder, noun, plainVerb, YES, type YesFlag } from '../run/verbs.ts'
import { listRows } from './import/report.ts'

const COLUMNS: readonly Column<StoredImport>[] = [
  { name: 'id', value: ({ id }) => String(id), align: 'right' },
  { name: 'product', value: ({ product }) => product },
  { name: 'source', value: ({ source }) => source, cut: true },
  { name: 'status', value: ({ status }, format) => statusText(status, format) },
  { name: 'started', value: ({ startedAt }, { time }) => time(startedAt) },
  { name: 'users', value: countOf('users'), align: 'right' },
  { name: 'keys', value: countOf('tokens'), align: 'right' },
  { name: 'channels', value: countOf('channels'), align: 'right' },
  { name: 'logs', value: countOf('logs'), align: 'right' },
]

interface LitellmOptions {
  sourceDatabase?: string
  balance?: number
  dryRun?: true
  yes?: true
}

const importLitellm = plainVerb({
  name: 'litellm',
  description: 'moving.importTheModelsOfALiteLLM',
  examples: [
    'tollgate import litellm config.yaml --dry-run',
    'tollgate import litellm config.yaml --source-database postgres://litellm@127.0.0.1/litellm --yes',
  ],
  syntax: (command) =>
    command
      .note('moving.keysKeepWorking')
      .argument('<config>', 'moving.configYamlOfLiteLLM')
      .option('--source-database <url>', 'moving.liteLLMDatabase')
      .option('--balance <quota>', 'moving.balanceOfUsersWithoutABudget', quotaArgument)
      .option('--dry-run', 'moving.printTheReport')
      .option(...YES),
  async run(cli, config: string, options: LitellmOptions) {
    const { runLitellmImport } = await import('./import/litellm-run.ts')
    await runLitellmImport(cli, { config, ...options })
  },
})

export const importNoun = noun('import', [
  importFrom('new-api'),
  importFrom('one-api'),
  importLitellm,
  plainVerb({
    name: 'list',
    description: 'moving.listImportsAndTheirSources',
    examples: ['tollgate import list'],
    async run(cli) {
      const { toolkit, actor } = await cli.openLocal()
      const imports = await toolkit.imports.list(actor)
      // `state` is the internal progress, which is not printed.
      const rows = imports.map(({ state: _, ...row }) => row)
      if (cli.json) return cli.writeJson(rows)
      await cli.print(imports, { columns: COLUMNS, empty: cli.t('moving.noImports') })
    },
  }),
  plainVerb({
    name: 'undo',
    description: 'moving.undoAnImport',
    examples: ['tollgate import undo 3'],
    syntax: (command) => command.argument('<id>', 'moving.importId', positiveInt).option(...YES),
    async run(cli, id: number, { yes }: { yes?: true }) {
      const { toolkit, actor } = await cli.openLocal()
      await cli.confirm(cli.t('moving.deleteEverythingThatImportAdded', { id }), { yes })
      const { deleted, keptOptions, kept } = await toolkit.imports.undo(actor, id)
      const rows = Object.values(deleted).reduce((sum, count) => sum + count, 0)
      cli.report(cli.t('moving.undidImport', { id, count: rows }), { id, deleted, keptOptions, kept })
      if (keptOptions.length > 0)
        cli.note(cli.t('moving.optionsSetSinceThenKeep', { keptOptions: keptOptions.join(', ') }))
      if (!cli.json)
        listRows(
          cli,
          cli.t('moving.valuesThatWereChangedHereSinceTitle', { count: kept.length }),
          kept,
          ({ table, id: row, what }) => `${table} ${row}: ${what}`,
        )
    },
  }),
])

function statusText(status: StoredImport['status'], { t }: Format): string {
  if (status === 'running') return t('moving.unfinished')
  return status === 'done' ? t('label.done') : t('moving.undone')
}

/** Returns a column's `value` function: the imported rows of a table; a dash while the import has no report. */
function countOf(table: string): (row: StoredImport) => string {
  return ({ report }) => String(report?.tables.find((each) => each.table === table)?.imported ?? '-')
}

interface ImportOptions extends YesFlag {
  logs: 'all' | 'none' | number
  sinceLast?: true
  dryRun?: true
}

function importFrom(product: 'new-api' | 'one-api'): CommandBuilder {
  return plainVerb({
    name: product,
    description: product === 'new-api' ? 'moving.importNewApi' : 'moving.importOneApi',
    examples: [
      `tollgate import ${product} ./one-api.db --dry-run`,
      `tollgate import ${product} 'mysql://root:secret@127.0.0.1:3306/oneapi' --logs 90d --yes`,
    ],
    syntax: (command) =>
      command
        .note('moving.printsAReport')
        .argument('<source>', 'moving.sQLiteFile')
        .option('--logs <which>', 'moving.logsToImport', logsArgument, 'all')
        .option('--since-last', 'moving.onlyWhatIsNewSince')
        .option('--dry-run', 'moving.printTheReport')
        .option(...YES),
    async run(cli, source: string, options: ImportOptions) {
      const { runImport } = await import('./import/run.ts')
      await runImport(cli, { product, address: source, ...options })
    },
  })
}

function logsArgument(text: string): ImportOptions['logs'] {
  if (text === 'all' || text === 'none') return text
  try {
    return pastTime(text)
  } catch (error) {
    if (!(error instanceof InvalidValue)) throw error
    throw new InvalidValue({ id: 'moving.expectedAll', values: { times: error.text } })
  }
}
