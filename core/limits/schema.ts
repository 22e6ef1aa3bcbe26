import { type Static, Type } from 'typebox'
import { choice } from '../choice.ts'
import { LIMIT_ACTIONS, LIMIT_MEASURES, LIMIT_PERIODS, LIMIT_SUBJECTS } from './limit.ts'

const FIELDS = {
  subject: choice(LIMIT_SUBJECTS, 'kind of subject'),
  subject_id: Type.String({
    maxLength: 255,
    description:
      'id of a token, user or channel; channel/position or channel/digest of a key; team/user (ids) of a member; name of a group or model; an address; * means each subject',
  }),
  measure: choice(LIMIT_MEASURES, 'what is counted'),
  period: choice(LIMIT_PERIODS, 'length of a window; none for concurrent requests'),
  amount: Type.Integer({ description: 'maximum per window, at least 1' }),
}

export const Limit = Type.Object(
  {
    id: Type.Integer(),
    ...FIELDS,
    name: Type.String({ description: 'name of the token, user, channel, member or channel key; else the subject_id' }),
    time_zone: Type.String({
      description: 'IANA name of the time zone of calendar windows; empty for rolling windows',
    }),
    action: choice(
      LIMIT_ACTIONS,
      'action for a request above the limit: reject it, queue it, or serve it and mail root',
    ),
    wait_seconds: Type.Integer({ description: 'maximum wait in the queue; 0 unless action is queue' }),
    created_at: Type.Integer(),
    updated_at: Type.Integer(),
  },
  { title: 'Limit' },
)
export type Limit = Static<typeof Limit>

/** A limit to set. It replaces a limit of the same subject, measure and period. */
export const NewLimit = Type.Object({
  ...FIELDS,
  time_zone: Type.Optional(
    Type.String({ maxLength: 64, description: 'IANA name of the time zone of calendar windows' }),
  ),
  action: Type.Optional(choice(LIMIT_ACTIONS, 'default: reject')),
  wait_seconds: Type.Optional(Type.Integer({ description: 'for queue, 1 to 300' })),
})
export type NewLimit = Static<typeof NewLimit>

export const LimitStatus = Type.Object(
  {
    limit: Limit,
    subject_id: Type.String({
      description: 'the counted subject; for a default, one of the subjects that it applies to',
    }),
    name: Type.String(),
    used: Type.Integer({
      description: 'amount that requests have used or processes have taken in advance, in the current window',
    }),
    remaining: Type.Integer(),
    resets_at: Type.Integer({
      description: 'unix seconds when some of the amount is available again; 0 if nothing is used',
    }),
  },
  { title: 'LimitStatus' },
)
export type LimitStatus = Static<typeof LimitStatus>

/** An upstream's own limit, from its last reply headers. */
export const LearnedLimit = Type.Object({
  channel_id: Type.Integer(),
  key_digest: Type.String({ description: 'digest of the key, if the channel has several' }),
  measure: choice(LIMIT_MEASURES, 'requests or tokens'),
  amount: Type.Integer({ description: '0: not reported' }),
  remaining: Type.Integer(),
  resets_at: Type.Integer({ description: 'unix seconds; 0: not reported' }),
  seen_at: Type.Integer(),
})
export type LearnedLimit = Static<typeof LearnedLimit>
