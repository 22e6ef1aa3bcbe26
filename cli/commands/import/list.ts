import type { StoredImport } from '../../../core/import/imports.ts'
import type { Column } from '../../output/column.ts'
import { plainVerb } from '../../run/verbs.ts'

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

function statusText(status: StoredImport['status'], text: (english: string) => string): string {
  if (status === 'running') return text('unfinished')
  return status === 'done' ? text('done') : text('undone')
}

/** Number of imported rows of a table; a dash while the import has not ended. */
function countOf(table: string): (row: StoredImport) => string {
  return ({ report }) => String(report?.tables.find((each) => each.table === table)?.imported ?? '-')
}

export const importList = plainVerb({
  name: 'list',
  description: 'List imports: what came from where',
  example: 'tollgate import list',
  async run(cli) {
    const { toolkit, actor } = await cli.openLocal()
    const imports = await toolkit.imports.list(actor)
    // Omits the internal progress state.
    const rows = imports.map(({ state: _, ...row }) => row)
    if (cli.json) return cli.writeJson(rows)
    await cli.print(imports, {
      columns: COLUMNS,
      empty: cli.say`No imports. Begin with: tollgate import new-api --help`,
    })
  },
})
