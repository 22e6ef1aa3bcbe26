import { positiveInt } from '../../input/arguments.ts'
import { plainVerb } from '../../run/verbs.ts'
import { listRows } from './report.ts'

export const importUndo = plainVerb({
  name: 'undo',
  description:
    'Take an import back: delete what it brought, restore what it changed; refused once something depends on it',
  example: 'tollgate import undo 3',
  syntax: (command) => command.argument('<id>', 'number of the import', positiveInt).option('-y, --yes', 'do not ask'),
  async run(cli, id: number, { yes }: { yes?: true }) {
    const { toolkit, actor } = await cli.openLocal()
    await cli.confirm(cli.say`Delete all that import ${id} brought?`, { yes })
    const { deleted, keptOptions, kept } = await toolkit.imports.undo(actor, id)
    const rows = Object.values(deleted).reduce((sum, count) => sum + count, 0)
    cli.report(cli.say`Import ${id} is undone: ${rows} rows are deleted.`, { id, deleted, keptOptions, kept })
    if (keptOptions.length > 0)
      cli.note(cli.say`Options that were set since keep their value: ${keptOptions.join(', ')}`)
    if (!cli.json)
      listRows(
        cli,
        cli.say`Values that were changed here since are kept (${kept.length}):`,
        kept,
        ({ table, id: row, what }) => `${table} ${row}: ${what}`,
      )
  },
})
