import { type Static, Type } from 'typebox'
import { choice } from '../choice.ts'
import { DELIVERY_STATES, NOTICE_EVENTS, NOTICE_KINDS, NOTICE_LANGUAGES } from './notice.ts'

const setting = (description: string) => Type.Optional(Type.String({ maxLength: 2000, description }))

/** Settings of a target by kind. They are stored encrypted and never returned. */
export const NoticeSettings = Type.Object({
  url: setting('webhook, feishu, slack: the address to post to'),
  secret: setting('webhook: the key that signs requests; feishu: the secret of a bot that checks signatures'),
  address: setting(
    "mail: the address, only for targets of the gateway; a user's mail goes to the address of the account",
  ),
  bot_token: setting('telegram: the token of the bot'),
  chat_id: setting('telegram: the chat, or @name of a channel'),
  device_key: setting('bark: the key of the device'),
  base_url: setting('telegram, bark: the address of a server, if it is not the official one'),
})
export type NoticeSettings = Static<typeof NoticeSettings>

const EVENTS = Type.Array(choice(NOTICE_EVENTS, 'an event'), { maxItems: NOTICE_EVENTS.length })

/** A target in the management API. */
export const NoticeTarget = Type.Object(
  {
    id: Type.Integer(),
    user_id: Type.Union([Type.Integer(), Type.Null()], { description: 'null: a target of the gateway' }),
    kind: choice(NOTICE_KINDS, 'how notices are delivered'),
    name: Type.String(),
    address: Type.String({ description: 'host, chat or email address; without secrets' }),
    events: EVENTS,
    language: choice(NOTICE_LANGUAGES, 'of the texts'),
    enabled: Type.Boolean(),
    created_at: Type.Integer(),
    updated_at: Type.Integer(),
  },
  { title: 'NoticeTarget' },
)
export type NoticeTarget = Static<typeof NoticeTarget>

export const NewNoticeTarget = Type.Object({
  kind: choice(NOTICE_KINDS, 'how notices are delivered'),
  name: Type.String({ maxLength: 255 }),
  settings: NoticeSettings,
  events: EVENTS,
  language: Type.Optional(choice(NOTICE_LANGUAGES, 'of the texts; default: en')),
  enabled: Type.Optional(Type.Boolean()),
  gateway: Type.Optional(Type.Boolean({ description: 'create a target of the gateway; root only' })),
})
export type NewNoticeTarget = Static<typeof NewNoticeTarget>

/** Changes of a target. Absent settings keep their value. */
export const NoticeTargetChanges = Type.Partial(Type.Omit(NewNoticeTarget, ['kind', 'gateway']))
export type NoticeTargetChanges = Static<typeof NoticeTargetChanges>

/** State of a notice's delivery to one target. */
export const NoticeDelivery = Type.Object(
  {
    id: Type.Integer({ description: 'also in the header tollgate-delivery of a webhook' }),
    notice_id: Type.Integer(),
    target_id: Type.Integer(),
    target: Type.String({ description: 'name of the target; empty if the target was deleted' }),
    kind: Type.String(),
    event: Type.String(),
    subject: Type.String(),
    state: choice(DELIVERY_STATES, 'failed: no further attempt'),
    attempts: Type.Integer(),
    next_at: Type.Integer({ description: 'unix seconds of the next attempt, while pending' }),
    status: Type.Integer({ description: 'HTTP status of the last reply; 0: no reply' }),
    error: Type.String(),
    created_at: Type.Integer(),
    delivered_at: Type.Integer({ description: 'unix seconds; 0: not yet' }),
  },
  { title: 'NoticeDelivery' },
)
export type NoticeDelivery = Static<typeof NoticeDelivery>

/** Percentages of a balance or budget that cause a notice. */
export const NoticeThreshold = Type.Object(
  {
    subject: choice(['user', 'token'] as const, 'balance of a user, or budget of a token'),
    subject_id: Type.Integer(),
    percents: Type.Array(Type.Integer({ minimum: 1, maximum: 100 }), {
      maxItems: 10,
      description:
        'a notice is sent when these percentages of the last credit, a budget or a quota window are used; empty: none',
    }),
  },
  { title: 'NoticeThreshold' },
)
export type NoticeThreshold = Static<typeof NoticeThreshold>
