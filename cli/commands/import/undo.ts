import { Command } from 'commander'
import { positiveInt } from '../../arguments.ts'
import type { Cli } from '../../cli.ts'

export function importUndo(cli: Cli): Command {
  return new Command('undo')
    .description(
      'Take an import back: delete what it brought, restore what it changed; refused once something depends on it',
    )
    .argument('<id>', 'number of the import', positiveInt)
    .option('--yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  tollgate import undo 3')
    .action(async (id: number, { yes }: { yes?: true }) => {
      const { toolkit, actor } = await cli.openLocal()
      await cli.confirm(cli.say`Delete all that import ${id} brought?`, { yes })
      const gone = await toolkit.imports.undo(actor, id)
      const rows = Object.values(gone).reduce((sum, count) => sum + count, 0)
      cli.report(cli.say`Import ${id} is undone: ${rows} rows are deleted.`, { id, deleted: gone })
    })
}
