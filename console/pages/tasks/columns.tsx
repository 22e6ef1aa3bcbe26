import Button from '@arco-design/web-react/es/Button'
import type { TFunction } from 'i18next'
import type { AsyncTask } from '../../api/async-tasks.ts'
import type { TableColumn } from '../../components/data-table/column.ts'
import { textColumn, timeColumn } from '../../components/data-table/columns.tsx'
import { secondsBetween } from '../../components/task-list/duration.tsx'
import { taskColumnsOf } from '../../components/task-list/task-columns.tsx'

const secondsOf = ({ submit_time, finish_time }: AsyncTask) => secondsBetween(submit_time, finish_time)

export function taskColumns(
  t: TFunction,
  allUsers: boolean,
  onOpen: (task: AsyncTask) => void,
): TableColumn<AsyncTask>[] {
  const { duration, channel, status, progress, failReason } = taskColumnsOf<AsyncTask>(t, { allUsers, secondsOf })
  return [
    timeColumn(
      { key: 'submit_time', width: 122, fixed: 'left', early: true, title: t('task.submitted') },
      (row) => row.submit_time,
      '–',
    ),
    timeColumn({ key: 'finish_time', width: 122, rank: 3, title: t('task.finished') }, (row) => row.finish_time, '–'),
    duration,
    { ...progress, width: 110 },
    ...channel,
    textColumn({ key: 'platform', width: 80, rank: 6, title: t('task.platform') }, ({ platform }) => platform),
    { key: 'action', width: 100, early: true, title: t('field.type'), value: ({ action }) => actionText(t, action) },
    {
      key: 'task_id',
      width: 170,
      grow: true,
      title: t('task.id'),
      render: (task) => (
        <Button type="text" size="mini" className="long-text" onClick={() => onOpen(task)}>
          {task.task_id || '–'}
        </Button>
      ),
      value: ({ task_id }) => task_id,
    },
    status,
    { ...failReason, width: 130 },
  ]
}

/** Returns the text for the kind of a task. */
function actionText(t: TFunction, action: string): string {
  switch (action) {
    case 'MUSIC':
      return t('task.action.MUSIC')
    case 'LYRICS':
      return t('task.action.LYRICS')
    default:
      return action || t('field.unknown')
  }
}
