import { type Static, Type } from 'typebox'

/** A token, as the management API returns it. `key` is without `sk-`. */
export const Token = Type.Object(
  {
    id: Type.Integer(),
    user_id: Type.Integer(),
    username: Type.Optional(Type.String({ description: "of the owner, in lists of other users' tokens" })),
    key: Type.String(),
    status: Type.Integer({ description: '1 enabled, 2 disabled, 3 expired, 4 exhausted' }),
    name: Type.String(),
    created_time: Type.Integer(),
    accessed_time: Type.Integer(),
    expired_time: Type.Integer({ description: 'unix seconds, -1 never' }),
    remain_quota: Type.Integer(),
    unlimited_quota: Type.Boolean(),
    model_limits_enabled: Type.Boolean(),
    model_limits: Type.String({ description: 'comma list' }),
    allow_ips: Type.String({ description: 'one address or range per line' }),
    used_quota: Type.Integer(),
    store_responses: Type.Boolean({ description: 'responses are stored for later requests that continue them' }),
    group: Type.String({ description: "empty: the owner's group" }),
    member_id: Type.Optional(Type.Integer({ description: 'for a team key: the user who created it' })),
    DeletedAt: Type.Union([Type.String(), Type.Null()]),
  },
  { title: 'Token' },
)
export type Token = Static<typeof Token>
