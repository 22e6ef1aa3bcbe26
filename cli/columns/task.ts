import type { Drawing, Task } from '../../core/tasks/schema.ts'
import type { Column, Tone } from '../output/column.ts'

const tones: Record<string, Tone> = { SUCCESS: 'good', FAILURE: 'bad' }
const MS_PER_S = 1000

type CommonFields = Pick<
  Task,
  'id' | 'action' | 'status' | 'progress' | 'user_id' | 'channel_id' | 'quota' | 'fail_reason' | 'submit_time'
>

/**
 * Returns the columns of tasks or of drawings: the common columns, with `columns` inserted before `failed-because`.
 * `unitsPerSecond` is 1 if the times in rows are in seconds, and 1000 if they are in milliseconds.
 */
function columnsOf<T extends CommonFields & Pick<Task, 'start_time' | 'finish_time'>>(
  unitsPerSecond: number,
  columns: readonly Column<T>[],
): readonly Column<T>[] {
  const seconds = (time: number) => Math.floor(time / unitsPerSecond)
  return [
    { name: 'id', rank: 1, value: ({ id }) => String(id), align: 'right' },
    { name: 'submitted', rank: 5, value: ({ submit_time }, { time }) => time(seconds(submit_time)) },
    { name: 'action', rank: 3, value: ({ action }) => action || '-' },
    {
      name: 'status',
      rank: 2,
      value: ({ status }, { label }) => label(status) || '-',
      tone: ({ status }) => tones[status],
    },
    { name: 'progress', rank: 4, value: ({ progress }) => progress || '-', align: 'right' },
    { name: 'user', rank: 7, value: ({ user_id }) => String(user_id), align: 'right' },
    { name: 'channel', value: ({ channel_id }) => (channel_id ? String(channel_id) : '-'), align: 'right' },
    { name: 'cost', rank: 8, value: (row, { quota }) => quota(row.quota), align: 'right' },
    ...columns,
    { name: 'failed-because', rank: 6, value: ({ fail_reason }) => fail_reason || '-', cut: true },
    { name: 'started', value: ({ start_time }, { moment }) => moment(seconds(start_time)), detail: true },
    { name: 'finished', value: ({ finish_time }, { moment }) => moment(seconds(finish_time)), detail: true },
  ]
}

export const TASK_COLUMNS: readonly Column<Task>[] = columnsOf(1, [
  { name: 'upstream-id', value: ({ task_id }) => task_id || '-', cut: true },
  { name: 'platform', value: ({ platform }) => platform || '-', detail: true },
  { name: 'input', value: ({ properties }) => String(properties.input ?? '') || '-', detail: true },
  { name: 'result', value: ({ data }) => (data === null ? '-' : JSON.stringify(data)), detail: true },
])

export const DRAWING_COLUMNS: readonly Column<Drawing>[] = columnsOf(MS_PER_S, [
  { name: 'upstream-id', value: ({ mj_id }) => mj_id || '-', cut: true },
  { name: 'prompt', value: ({ prompt }) => prompt || '-', cut: true },
  { name: 'picture', value: ({ image_url }) => image_url || '-', detail: true },
])
