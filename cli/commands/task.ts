import { DRAWING_COLUMNS, TASK_COLUMNS } from '../columns/task.ts'
import { positiveInt } from '../input/arguments.ts'
import { noun, verb } from '../run/verbs.ts'
import { kindOption, type TaskKind, taskList } from './task/list.ts'

export const task = noun('task', [
  taskList,
  verb({
    name: 'get',
    description: 'Show one task',
    example: 'tollgate task get 1 --kind drawing',
    syntax: (command) => command.argument('<id>', 'task ID', positiveInt).addOption(kindOption()),
    async run({ cli, toolkit, actor }, id: number, { kind }: { kind: TaskKind }) {
      if (kind === 'drawing') await cli.show(await toolkit.tasks.getDrawing(actor, id), { columns: DRAWING_COLUMNS })
      else await cli.show(await toolkit.tasks.getTask(actor, id), { columns: TASK_COLUMNS })
    },
  }),
])
