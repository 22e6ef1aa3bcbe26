import { DRAWING_COLUMNS, TASK_COLUMNS } from '../columns/task.ts'
import { positiveInt } from '../input/arguments.ts'
import { noun, verb } from '../run/verbs.ts'
import { type TaskKindFlag, taskList, withKind } from './task/list.ts'

export const task = noun('task', [
  taskList,
  verb({
    name: 'get',
    description: 'task.showOneTask',
    examples: ['tollgate task get 1 --kind drawing'],
    syntax: (command) => withKind(command.argument('<id>', 'task.taskId', positiveInt)),
    async run({ cli, toolkit, actor }, id: number, { kind }: { kind: TaskKindFlag }) {
      if (kind === 'drawing') await cli.show(await toolkit.tasks.getDrawing(actor, id), { columns: DRAWING_COLUMNS })
      else await cli.show(await toolkit.tasks.getTask(actor, id), { columns: TASK_COLUMNS })
    },
  }),
])
