import type { StoredImport } from '../../core/import/imports.ts'
import { positiveInt } from '../input/arguments.ts'
import type { Column } from '../output/column.ts'
import { noun, plainVerb, YES } from '../run/verbs.ts'
import { importFrom } from './import/from.ts'
import { importLitellm } from './import/litellm.ts'
import { listRows } from './import/report.ts'

const COLUMNS: readonly Column<StoredImport>[] = [
  { title: 'id', value: ({ id }) => String(id), align: 'right' },
  { title: 'product', value: ({ product }) => product },
  { title: 'source', value: ({ source }) => source, cut: true },
  { title: 'status', value: ({ status }, { text }) => statusText(status, text) },
  { title: 'started', value: ({ startedAt }, { time }) => time(startedAt) },
  { title: 'users', value: countOf('users'), align: 'right' },
  { title: 'keys', value: countOf('tokens'), align: 'right' },
  { title: 'channels', value: countOf('channels'), align: 'right' },
  { title: 'logs', value: countOf('logs'), align: 'right' },
]

export const importNoun = noun('import', [
  importFrom('new-api'),
  importFrom('one-api'),
  importLitellm,
  plainVerb({
    name: 'list',
    description: 'List imports and their sources',
    example: 'tollgate import list',
    async run(cli) {
      const { toolkit, actor } = await cli.openLocal()
      const imports = await toolkit.imports.list(actor)
      // Omits the internal progress state.
      const rows = imports.map(({ state: _, ...row }) => row)
      if (cli.json) return cli.writeJson(rows)
      await cli.print(imports, {
        columns: COLUMNS,
        empty: cli.say`No imports. Start one: tollgate import new-api --help`,
      })
    },
  }),
  plainVerb({
    name: 'undo',
    description: 'Undo an import: delete its rows and restore changes; fails if something depends on it',
    example: 'tollgate import undo 3',
    syntax: (command) => command.argument('<id>', 'import ID', positiveInt).option(...YES),
    async run(cli, id: number, { yes }: { yes?: true }) {
      const { toolkit, actor } = await cli.openLocal()
      await cli.confirm(cli.say`Delete everything that import ${id} added?`, { yes })
      const { deleted, keptOptions, kept } = await toolkit.imports.undo(actor, id)
      const rows = Object.values(deleted).reduce((sum, count) => sum + count, 0)
      cli.report(cli.say`Undid import ${id}: deleted ${rows} rows.`, { id, deleted, keptOptions, kept })
      if (keptOptions.length > 0) cli.note(cli.say`Options set since then keep their values: ${keptOptions.join(', ')}`)
      if (!cli.json)
        listRows(
          cli,
          cli.say`Values that were changed here since are kept (${kept.length}):`,
          kept,
          ({ table, id: row, what }) => `${table} ${row}: ${what}`,
        )
    },
  }),
])

function statusText(status: StoredImport['status'], text: (english: string) => string): string {
  if (status === 'running') return text('unfinished')
  return status === 'done' ? text('done') : text('undone')
}

/** Number of imported rows of a table; a dash while the import has not ended. */
function countOf(table: string): (row: StoredImport) => string {
  return ({ report }) => String(report?.tables.find((each) => each.table === table)?.imported ?? '-')
}
