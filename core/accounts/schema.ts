import { type Static, Type } from 'typebox'

/** A user in the management API. `password` is always empty; `DeletedAt` is null unless the account is deleted. */
export const User = Type.Object(
  {
    id: Type.Integer(),
    username: Type.String(),
    password: Type.Literal(''),
    display_name: Type.String(),
    role: Type.Integer({ description: '1 common, 10 admin, 100 root' }),
    status: Type.Integer({ description: '1 enabled, 2 disabled' }),
    email: Type.String(),
    github_id: Type.String(),
    wechat_id: Type.String(),
    telegram_id: Type.String(),
    linux_do_id: Type.String(),
    oidc_id: Type.String({ description: 'subject at the OpenID Connect provider' }),
    verification_code: Type.Literal(''),
    access_token: Type.Union([Type.String(), Type.Null()]),
    quota: Type.Integer(),
    debt_limit: Type.Optional(Type.Integer({ description: 'how far below zero the balance may go; absent: 0' })),
    used_quota: Type.Integer(),
    request_count: Type.Integer(),
    group: Type.String(),
    aff_code: Type.String(),
    aff_count: Type.Integer(),
    aff_quota: Type.Integer(),
    aff_history_quota: Type.Integer(),
    inviter_id: Type.Integer(),
    last_active: Type.Optional(
      Type.Integer({ description: 'in lists: the last relay or sign-in, unix seconds; 0: unknown' }),
    ),
    DeletedAt: Type.Union([Type.String(), Type.Null()]),
  },
  { title: 'User' },
)
export type User = Static<typeof User>
