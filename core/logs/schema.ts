import { type Static, Type } from 'typebox'

/** A log row as returned by the management API. `channel` is the channel's id, `other` JSON text. */
export const Log = Type.Object(
  {
    id: Type.Integer(),
    user_id: Type.Integer(),
    created_at: Type.Integer({ description: 'unix seconds' }),
    type: Type.Integer({ description: '1 top-up, 2 consumption, 3 admin, 4 system, 5 error' }),
    content: Type.String(),
    username: Type.String(),
    token_name: Type.String(),
    model_name: Type.String(),
    quota: Type.Integer(),
    prompt_tokens: Type.Integer(),
    completion_tokens: Type.Integer(),
    use_time: Type.Integer({ description: 'seconds' }),
    is_stream: Type.Boolean(),
    channel: Type.Integer(),
    channel_name: Type.String(),
    token_id: Type.Integer(),
    group: Type.String(),
    other: Type.String({ description: 'JSON text, or empty' }),
    request_id: Type.String({ description: 'empty for rows that no relay wrote' }),
  },
  { title: 'Log' },
)
export type Log = Static<typeof Log>

/** Quota of a time range, and the rate of the last minute. */
export const LogStat = Type.Object(
  {
    quota: Type.Integer(),
    rpm: Type.Integer({ description: 'relays in the last 60 seconds' }),
    tpm: Type.Integer({ description: 'prompt and completion tokens in the last 60 seconds' }),
  },
  { title: 'LogStat' },
)
export type LogStat = Static<typeof LogStat>

/** Consumption of one model in one hour. */
export const DashboardCount = Type.Object(
  {
    id: Type.Integer({ description: '0 in sums of all users' }),
    user_id: Type.Integer({ description: '0 in sums of all users' }),
    username: Type.String({ description: 'empty in sums of all users' }),
    model_name: Type.String(),
    created_at: Type.Integer({ description: 'start of the hour, unix seconds' }),
    token_used: Type.Integer(),
    count: Type.Integer(),
    quota: Type.Integer(),
  },
  { title: 'DashboardCount' },
)
export type DashboardCount = Static<typeof DashboardCount>
