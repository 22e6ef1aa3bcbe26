import { type Static, Type } from 'typebox'

/** A drawing in the management API. Times are Unix milliseconds. `buttons` and `properties` are JSON text. */
export const Drawing = Type.Object(
  {
    id: Type.Integer(),
    code: Type.Integer({ description: '1 submitted, 21 exists, 22 queued, 23 queue full, 24 banned word' }),
    user_id: Type.Integer(),
    action: Type.String(),
    mj_id: Type.String(),
    prompt: Type.String(),
    prompt_en: Type.String(),
    description: Type.String(),
    state: Type.String(),
    submit_time: Type.Integer({ description: 'unix milliseconds' }),
    start_time: Type.Integer({ description: 'unix milliseconds' }),
    finish_time: Type.Integer({ description: 'unix milliseconds' }),
    image_url: Type.String(),
    status: Type.String(),
    progress: Type.String(),
    fail_reason: Type.String(),
    channel_id: Type.Integer(),
    quota: Type.Integer(),
    buttons: Type.String({ description: 'JSON text' }),
    properties: Type.String({ description: 'JSON text' }),
  },
  { title: 'Drawing' },
)
export type Drawing = Static<typeof Drawing>

/** An async task, as the management API returns it. Times are Unix seconds. */
export const Task = Type.Object(
  {
    id: Type.Integer(),
    created_at: Type.Integer(),
    updated_at: Type.Integer(),
    task_id: Type.String(),
    platform: Type.String(),
    user_id: Type.Integer(),
    channel_id: Type.Integer({ description: "0 in the user's own list" }),
    quota: Type.Integer(),
    action: Type.String(),
    status: Type.String(),
    fail_reason: Type.String(),
    submit_time: Type.Integer(),
    start_time: Type.Integer(),
    finish_time: Type.Integer(),
    progress: Type.String({ description: '0% to 100%' }),
    properties: Type.Record(Type.String(), Type.Unknown(), { description: '{input: text}' }),
    data: Type.Unknown({ description: "the upstream's result, null until known" }),
  },
  { title: 'Task' },
)
export type Task = Static<typeof Task>
