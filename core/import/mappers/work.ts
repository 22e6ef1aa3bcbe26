import { ID, QUOTA_BOUNDS, storable, TIME } from '../values.ts'
import { type MapContext, type Mapping, mapWith } from './mapper.ts'

export const TASK_SOURCE_COLUMNS = [
  ...['id', 'created_at', 'updated_at', 'task_id', 'platform', 'user_id', 'channel_id', 'quota', 'action', 'status'],
  ...['fail_reason', 'submit_time', 'start_time', 'finish_time', 'progress', 'properties', 'data'],
]
export const DRAWING_SOURCE_COLUMNS = [
  ...['id', 'code', 'user_id', 'action', 'mj_id', 'prompt', 'prompt_en', 'description', 'state', 'submit_time'],
  ...['start_time', 'finish_time', 'image_url', 'status', 'progress', 'fail_reason', 'channel_id', 'quota', 'buttons'],
  ...['properties', 'video_url', 'bot_type', 'custom_id'],
]

/** Maps an upstream task, such as a piece of music. */
export function mapTask(row: Readonly<Record<string, unknown>>, { target }: MapContext): Mapping {
  return mapWith(row, ({ text, integer, raw }) => {
    const owner = integer('user_id', ID)
    const user_id = target('users', owner)
    if (user_id === undefined) return `its user ${owner} does not exist`
    return {
      fields: {
        created_at: integer('created_at', TIME),
        updated_at: integer('updated_at', TIME),
        task_id: text('task_id', { max: 50 }),
        platform: text('platform', { max: 30 }),
        user_id,
        channel_id: target('channels', integer('channel_id', ID)) ?? 0,
        quota: integer('quota', QUOTA_BOUNDS),
        action: text('action', { max: 40 }),
        status: text('status', { max: 20 }),
        fail_reason: text('fail_reason'),
        submit_time: integer('submit_time', TIME),
        start_time: integer('start_time', TIME),
        finish_time: integer('finish_time', TIME),
        progress: text('progress', { max: 20 }),
        properties: jsonText(raw('properties')) ?? '',
        data: jsonText(raw('data')),
      },
      quota: 0,
      used: 0,
    }
  })
}

export function mapDrawing(row: Readonly<Record<string, unknown>>, { target }: MapContext): Mapping {
  return mapWith(row, ({ text, integer, raw }) => {
    const owner = integer('user_id', ID)
    const user_id = target('users', owner)
    if (user_id === undefined) return `its user ${owner} does not exist`
    return {
      fields: {
        code: integer('code'),
        user_id,
        action: text('action', { max: 40 }),
        mj_id: text('mj_id', { max: 255 }),
        prompt: text('prompt'),
        prompt_en: text('prompt_en'),
        description: text('description'),
        state: text('state'),
        submit_time: integer('submit_time', TIME),
        start_time: integer('start_time', TIME),
        finish_time: integer('finish_time', TIME),
        image_url: text('image_url'),
        video_url: text('video_url'),
        status: text('status', { max: 20 }),
        progress: text('progress', { max: 30 }),
        fail_reason: text('fail_reason'),
        channel_id: target('channels', integer('channel_id', ID)) ?? 0,
        quota: integer('quota', QUOTA_BOUNDS),
        buttons: jsonText(raw('buttons')) ?? '',
        properties: jsonText(raw('properties')) ?? '',
        bot_type: text('bot_type', { max: 40 }),
        custom_id: text('custom_id', { max: 255 }),
      },
      quota: 0,
      used: 0,
    }
  })
}

/** Returns the text of a JSON column, which the driver may return as text, bytes or a value. */
function jsonText(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (Buffer.isBuffer(value)) return storable(value.toString('utf8'))
  return storable(typeof value === 'string' ? value : JSON.stringify(value))
}
