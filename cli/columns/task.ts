import type { Drawing, Task } from '../../core/tasks/schema.ts'
import type { Column, Tone } from '../output/column.ts'

const orDash = (text: string) => text || '-'
const tones: Record<string, Tone> = { SUCCESS: 'good', FAILURE: 'bad' }
const MS_PER_S = 1000

type CommonFields = Pick<
  Task,
  'id' | 'action' | 'status' | 'progress' | 'user_id' | 'channel_id' | 'quota' | 'fail_reason' | 'submit_time'
>

/**
 * Returns the columns of tasks or of drawings: the common columns, with `columns` inserted before `failed-because`.
 * `unitsPerSecond`: the number of time units per second in rows of this kind, 1 or 1000.
 */
function columnsOf<T extends CommonFields & Pick<Task, 'start_time' | 'finish_time'>>(
  unitsPerSecond: number,
  columns: readonly Column<T>[],
): readonly Column<T>[] {
  const seconds = (time: number) => Math.floor(time / unitsPerSecond)
  return [
    { name: 'id', rank: 1, value: ({ id }) => String(id), align: 'right' },
    { name: 'submitted', rank: 5, value: ({ submit_time }, { time }) => time(seconds(submit_time)) },
    { name: 'action', rank: 3, value: ({ action }) => orDash(action) },
    {
      name: 'status',
      rank: 2,
      value: ({ status }, { label }) => orDash(label(status)),
      tone: ({ status }) => tones[status],
    },
    { name: 'progress', rank: 4, value: ({ progress }) => orDash(progress), align: 'right' },
    { name: 'user', rank: 7, value: ({ user_id }) => String(user_id), align: 'right' },
    { name: 'channel', value: ({ channel_id }) => orDash(channel_id ? String(channel_id) : ''), align: 'right' },
    { name: 'cost', rank: 8, value: (row, { quota }) => quota(row.quota), align: 'right' },
    ...columns,
    { name: 'failed-because', rank: 6, value: ({ fail_reason }) => orDash(fail_reason), cut: true },
    { name: 'started', value: ({ start_time }, { moment }) => moment(seconds(start_time)), detail: true },
    { name: 'finished', value: ({ finish_time }, { moment }) => moment(seconds(finish_time)), detail: true },
  ]
}

export const TASK_COLUMNS: readonly Column<Task>[] = columnsOf(1, [
  { name: 'upstream-id', value: ({ task_id }) => orDash(task_id), cut: true },
  { name: 'platform', value: ({ platform }) => orDash(platform), detail: true },
  { name: 'input', value: ({ properties }) => orDash(String(properties.input ?? '')), detail: true },
  { name: 'result', value: ({ data }) => (data === null ? '-' : JSON.stringify(data)), detail: true },
])

export const DRAWING_COLUMNS: readonly Column<Drawing>[] = columnsOf(MS_PER_S, [
  { name: 'upstream-id', value: ({ mj_id }) => orDash(mj_id), cut: true },
  { name: 'prompt', value: ({ prompt }) => orDash(prompt), cut: true },
  { name: 'picture', value: ({ image_url }) => orDash(image_url), detail: true },
])
