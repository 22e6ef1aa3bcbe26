import type { TFunction } from 'i18next'
import type { TableColumn } from '../data-table/column.ts'
import { Duration } from './duration.tsx'
import { LongText } from './long-text.tsx'
import { TaskProgress } from './task-progress.tsx'
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
    title: t('task.channel'),
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
