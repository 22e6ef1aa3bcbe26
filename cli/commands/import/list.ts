import { Command } from 'commander'
import type { StoredImport } from '../../../core/import/imports.ts'
import type { Cli } from '../../cli.ts'
import type { Column } from '../../column.ts'

const COLUMNS: readonly Column<StoredImport>[] = [
  { title: 'id', value: ({ id }) => String(id), align: 'right' },
  { title: 'product', value: ({ product }) => product },
  { title: 'source', value: ({ source }) => source, cut: true },
  { title: 'status', value: ({ status }, { text }) => text(status) },
  { title: 'started', value: ({ startedAt }, { time }) => time(startedAt) },
  { title: 'users', value: (row) => rowsOf(row, 'users'), align: 'right' },
  { title: 'keys', value: (row) => rowsOf(row, 'tokens'), align: 'right' },
  { title: 'channels', value: (row) => rowsOf(row, 'channels'), align: 'right' },
  { title: 'logs', value: (row) => rowsOf(row, 'logs'), align: 'right' },
]

function rowsOf({ report }: StoredImport, table: string): string {
  return String(report?.tables.find((each) => each.table === table)?.imported ?? '-')
}

export function importList(cli: Cli): Command {
  return new Command('list')
    .description('List imports: what came from where')
    .addHelpText('after', '\nExample:\n  tollgate import list')
    .action(async () => {
      const { toolkit, actor } = await cli.openLocal()
      const imports = await toolkit.imports.list(actor)
      // How far one has come is the import's own affair.
      const rows = imports.map(({ state: _, ...row }) => row)
      if (cli.json) return cli.writeJson(rows)
      await cli.print(imports, {
        columns: COLUMNS,
        empty: cli.say`No imports. Begin with: tollgate import new-api --help`,
      })
    })
}
