import Button from '@arco-design/web-react/es/Button'
import type { TFunction } from 'i18next'
import type { AsyncTask } from '../../api/async-tasks.ts'
import type { Column } from '../../components/data-table/column.ts'
import { DateTime } from '../../components/date-time.tsx'
import { StatusTag, type TagLook } from '../../components/status-tag.tsx'
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
      early: true,
      title: t('task.submitted'),
      render: ({ submit_time }) => moment(submit_time),
      value: ({ submit_time }) => isoTime(submit_time),
    },
    {
      key: 'finish_time',
      title: t('task.finished'),
      wideOnly: true,
      render: ({ finish_time }) => moment(finish_time),
      value: ({ finish_time }) => isoTime(finish_time),
    },
    {
      key: 'duration',
      title: t('task.duration'),
      wideOnly: true,
      render: (task) => <Duration seconds={secondsOf(task)} />,
      value: (task) => secondsOf(task) ?? '',
    },
    {
      key: 'progress',
      title: t('task.progress'),
      wideOnly: true,
      render: ({ progress, status }) => <TaskProgress progress={progress} status={status} />,
      value: ({ progress }) => progress,
    },
    ...(everybody
      ? [
          {
            key: 'channel_id',
            title: t('task.channel'),
            wideOnly: true as const,
            render: ({ channel_id }: AsyncTask) => channel_id,
            value: ({ channel_id }: AsyncTask) => channel_id,
          },
        ]
      : []),
    {
      key: 'platform',
      title: t('task.platform'),
      wideOnly: true,
      render: ({ platform }) => <StatusTag color={platform === 'suno' ? 'green' : 'gray'} text={platform || '–'} />,
      value: ({ platform }) => platform,
    },
    {
      key: 'action',
      early: true,
      title: t('task.type'),
      render: ({ action }) => <StatusTag {...actionLook(t, action)} />,
      value: ({ action }) => actionLook(t, action).text,
    },
    {
      key: 'task_id',
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
      early: true,
      title: t('task.status'),
      render: ({ status }) => <TaskStatus status={status} />,
      value: ({ status }) => taskStatusLook(t, status).text,
    },
    {
      key: 'fail_reason',
      title: t('task.failReason'),
      render: ({ fail_reason }) => <LongText title={t('task.failReason')} text={fail_reason} />,
      value: ({ fail_reason }) => fail_reason,
    },
  ]
}

const moment = (seconds: number) => (seconds > 0 ? <DateTime seconds={seconds} /> : '–')

/** What the task is to make. */
function actionLook(t: TFunction, action: string): TagLook {
  switch (action) {
    case 'MUSIC':
      return { color: 'blue', text: t('task.action.MUSIC') }
    case 'LYRICS':
      return { color: 'magenta', text: t('task.action.LYRICS') }
    default:
      return { color: 'gray', text: action || t('task.action.unknown') }
  }
}
