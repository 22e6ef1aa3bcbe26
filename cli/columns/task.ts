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
    { title: 'id', rank: 1, value: ({ id }) => String(id), align: 'right' },
    { title: 'submitted', rank: 5, value: ({ submit_time }, { time }) => time(seconds(submit_time)) },
    { title: 'action', rank: 3, value: ({ action }) => dashed(action) },
    {
      title: 'status',
      rank: 2,
      value: ({ status }, { text }) => dashed(text(status)),
      tone: ({ status }) => tones[status],
    },
    { title: 'progress', rank: 4, value: ({ progress }) => dashed(progress), align: 'right' },
    { title: 'user', rank: 7, value: ({ user_id }) => String(user_id), align: 'right' },
    { title: 'channel', value: ({ channel_id }) => dashed(channel_id ? String(channel_id) : ''), align: 'right' },
    { title: 'cost', rank: 8, value: (row, { quota }) => quota(row.quota), align: 'right' },
    ...columns,
    { title: 'failed because', rank: 6, value: ({ fail_reason }) => dashed(fail_reason), cut: true },
    { title: 'started', value: ({ start_time }, { moment }) => moment(seconds(start_time)), detail: true },
    { title: 'finished', value: ({ finish_time }, { moment }) => moment(seconds(finish_time)), detail: true },
  ]
}

export const TASK_COLUMNS: readonly Column<Task>[] = columnsOf(1, [
  { title: 'upstream id', value: ({ task_id }) => dashed(task_id), cut: true },
  { title: 'platform', value: ({ platform }) => dashed(platform), detail: true },
  { title: 'input', value: ({ properties }) => dashed(String(properties.input ?? '')), detail: true },
  { title: 'result', value: ({ data }) => (data === null ? '-' : JSON.stringify(data)), detail: true },
])

export const DRAWING_COLUMNS: readonly Column<Drawing>[] = columnsOf(MS_PER_S, [
  { title: 'upstream id', value: ({ mj_id }) => dashed(mj_id), cut: true },
  { title: 'prompt', value: ({ prompt }) => dashed(prompt), cut: true },
  { title: 'picture', value: ({ image_url }) => dashed(image_url), detail: true },
])
