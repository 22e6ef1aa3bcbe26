import Progress from '@arco-design/web-react/es/Progress'
import type { TFunction } from 'i18next'
import { useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { TableColumn } from '../data-table/column.ts'
import { Duration } from './duration.tsx'
import { LongText } from './long-text.tsx'
import { TaskStatus, taskStatusBadge } from './task-status.tsx'

interface AnyTask {
  channel_id: number
  status: string
  progress: string
  fail_reason: string
}

/** Returns the columns that all lists of tasks have. `channel` is empty unless the list has the tasks of all users. */
export function taskColumnsOf<Row extends AnyTask>(
  t: TFunction,
  { allUsers, secondsOf }: { allUsers: boolean; secondsOf: (row: Row) => number | undefined },
) {
  const duration: TableColumn<Row> = {
    key: 'duration',
    width: 90,
    rank: 2,
    title: t('task.duration'),
    render: (row) => <Duration seconds={secondsOf(row)} />,
    value: (row) => secondsOf(row) ?? '',
  }
  const channel: TableColumn<Row> = {
    key: 'channel_id',
    width: 70,
    rank: 5,
    title: t('log.channel'),
    value: ({ channel_id }) => channel_id,
  }
  const status: TableColumn<Row> = {
    key: 'status',
    width: 100,
    early: true,
    title: t('task.status'),
    render: ({ status }) => <TaskStatus status={status} />,
    value: ({ status }) => taskStatusBadge(t, status).text,
  }
  const progress: TableColumn<Row> = {
    key: 'progress',
    rank: 4,
    title: t('task.progress'),
    render: ({ progress, status }) => <TaskProgress progress={progress} status={status} />,
    value: ({ progress }) => progress,
  }
  const failReason: TableColumn<Row> = {
    key: 'fail_reason',
    title: t('task.failReason'),
    render: ({ fail_reason }) => <LongText title={t('task.failReason')} text={fail_reason} />,
    value: ({ fail_reason }) => fail_reason,
  }
  return { duration, channel: allUsers ? [channel] : [], status, progress, failReason }
}

/** Shows a progress bar. `progress` is a percentage as text, such as `42%`. */
function TaskProgress({ progress, status }: { progress: string; status: string }) {
  const { t } = useTranslation()
  const holder = useRef<HTMLDivElement>(null)
  const percent = Math.min(100, Math.max(0, Number.parseFloat(progress) || 0))
  // Arco does not pass a label to the bar.
  useLayoutEffect(() => {
    holder.current?.querySelector('[role="progressbar"]')?.setAttribute('aria-label', t('task.progress'))
  }, [t])
  return (
    <div ref={holder} className="task-progress">
      <Progress
        size="small"
        percent={percent}
        status={status === 'FAILURE' ? 'error' : status === 'SUCCESS' ? 'success' : 'normal'}
      />
    </div>
  )
}
