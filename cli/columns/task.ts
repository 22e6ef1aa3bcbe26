import type { Drawing, Task } from '../../core/tasks/schema.ts'
import type { Column, Tone } from '../output/column.ts'

const dashed = (text: string) => text || '-'
const tones: Record<string, Tone> = { SUCCESS: 'good', FAILURE: 'bad' }
const MS_PER_S = 1000

type Either = Pick<
  Task,
  'id' | 'action' | 'status' | 'progress' | 'user_id' | 'channel_id' | 'quota' | 'fail_reason' | 'submit_time'
>

/** The columns of both kinds around those of one. `perSecond`: the unit of the kind's times. */
function columnsOf<T extends Either & Pick<Task, 'start_time' | 'finish_time'>>(
  perSecond: number,
  columns: readonly Column<T>[],
): readonly Column<T>[] {
  const seconds = (time: number) => Math.floor(time / perSecond)
  return [
    { name: 'id', rank: 1, value: ({ id }) => String(id), align: 'right' },
    { name: 'submitted', rank: 5, value: ({ submit_time }, { time }) => time(seconds(submit_time)) },
    { name: 'action', rank: 3, value: ({ action }) => dashed(action) },
    {
      name: 'status',
      rank: 2,
      value: ({ status }, { label }) => dashed(label(status)),
      tone: ({ status }) => tones[status],
    },
    { name: 'progress', rank: 4, value: ({ progress }) => dashed(progress), align: 'right' },
    { name: 'user', rank: 7, value: ({ user_id }) => String(user_id), align: 'right' },
    { name: 'channel', value: ({ channel_id }) => dashed(channel_id ? String(channel_id) : ''), align: 'right' },
    { name: 'cost', rank: 8, value: (row, { quota }) => quota(row.quota), align: 'right' },
    ...columns,
    { name: 'failed-because', rank: 6, value: ({ fail_reason }) => dashed(fail_reason), cut: true },
    { name: 'started', value: ({ start_time }, { moment }) => moment(seconds(start_time)), detail: true },
    { name: 'finished', value: ({ finish_time }, { moment }) => moment(seconds(finish_time)), detail: true },
  ]
}

export const TASK_COLUMNS: readonly Column<Task>[] = columnsOf(1, [
  { name: 'upstream-id', value: ({ task_id }) => dashed(task_id), cut: true },
  { name: 'platform', value: ({ platform }) => dashed(platform), detail: true },
  { name: 'input', value: ({ properties }) => dashed(String(properties.input ?? '')), detail: true },
  { name: 'result', value: ({ data }) => (data === null ? '-' : JSON.stringify(data)), detail: true },
])

export const DRAWING_COLUMNS: readonly Column<Drawing>[] = columnsOf(MS_PER_S, [
  { name: 'upstream-id', value: ({ mj_id }) => dashed(mj_id), cut: true },
  { name: 'prompt', value: ({ prompt }) => dashed(prompt), cut: true },
  { name: 'picture', value: ({ image_url }) => dashed(image_url), detail: true },
])
