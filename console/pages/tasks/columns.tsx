import Button from '@arco-design/web-react/es/Button'
import type { TFunction } from 'i18next'
import type { AsyncTask } from '../../api/async-tasks.ts'
import type { Column } from '../../components/data-table/column.ts'
import { DateTime } from '../../components/date-time.tsx'
import { Duration, lasted } from '../../components/task-list/duration.tsx'
import { LongText } from '../../components/task-list/long-text.tsx'
import { TaskProgress } from '../../components/task-list/task-progress.tsx'
import { TaskStatus, taskStatusLook } from '../../components/task-list/task-status.tsx'
import { isoTime } from '../../components/times.ts'

const secondsOf = ({ submit_time, finish_time }: AsyncTask) => lasted(submit_time, finish_time)

export function taskColumns(t: TFunction, everybody: boolean, onOpen: (task: AsyncTask) => void): Column<AsyncTask>[] {
  return [
    {
      key: 'submit_time',
      width: 122,
      fixed: 'left',
      early: true,
      title: t('task.submitted'),
      render: ({ submit_time }) => moment(submit_time),
      value: ({ submit_time }) => isoTime(submit_time),
    },
    {
      key: 'finish_time',
      width: 122,
      rank: 3,
      title: t('task.finished'),
      render: ({ finish_time }) => moment(finish_time),
      value: ({ finish_time }) => isoTime(finish_time),
    },
    {
      key: 'duration',
      width: 90,
      rank: 2,
      title: t('task.duration'),
      render: (task) => <Duration seconds={secondsOf(task)} />,
      value: (task) => secondsOf(task) ?? '',
    },
    {
      key: 'progress',
      width: 110,
      rank: 4,
      title: t('task.progress'),
      render: ({ progress, status }) => <TaskProgress progress={progress} status={status} />,
      value: ({ progress }) => progress,
    },
    ...(everybody
      ? [
          {
            key: 'channel_id',
            width: 70,
            rank: 5,
            title: t('task.channel'),
            render: ({ channel_id }: AsyncTask) => channel_id,
            value: ({ channel_id }: AsyncTask) => channel_id,
          },
        ]
      : []),
    {
      key: 'platform',
      width: 80,
      rank: 6,
      title: t('task.platform'),
      render: ({ platform }) => platform || '–',
      value: ({ platform }) => platform,
    },
    {
      key: 'action',
      width: 100,
      early: true,
      title: t('task.type'),
      render: ({ action }) => actionText(t, action),
      value: ({ action }) => actionText(t, action),
    },
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
    {
      key: 'status',
      width: 100,
      early: true,
      title: t('task.status'),
      render: ({ status }) => <TaskStatus status={status} />,
      value: ({ status }) => taskStatusLook(t, status).text,
    },
    {
      key: 'fail_reason',
      width: 130,
      title: t('task.failReason'),
      render: ({ fail_reason }) => <LongText title={t('task.failReason')} text={fail_reason} />,
      value: ({ fail_reason }) => fail_reason,
    },
  ]
}

const moment = (seconds: number) => (seconds > 0 ? <DateTime seconds={seconds} /> : '–')

/** Returns the kind of task as text. */
function actionText(t: TFunction, action: string): string {
  switch (action) {
    case 'MUSIC':
      return t('task.action.MUSIC')
    case 'LYRICS':
      return t('task.action.LYRICS')
    default:
      return action || t('task.action.unknown')
  }
}
