import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { positiveInt } from '../../input/arguments.ts'
import { type Kind, kindOption } from './kind.ts'

export function taskGet(cli: Cli): Command {
  return new Command('get')
    .description('Show one task')
    .argument('<id>', 'number of the task in its list', positiveInt)
    .addOption(kindOption())
    .addHelpText('after', '\nExample:\n  tollgate task get 1 --kind drawing')
    .action(async (id: number, { kind }: { kind: Kind }) => {
      const [{ toolkit, actor }, { DRAWING_COLUMNS, TASK_COLUMNS }] = await Promise.all([
        cli.open(),
        import('../../columns/task.ts'),
      ])
      if (kind === 'drawing') await cli.show(await toolkit.tasks.getDrawing(actor, id), { columns: DRAWING_COLUMNS })
      else await cli.show(await toolkit.tasks.getTask(actor, id), { columns: TASK_COLUMNS })
    })
}
