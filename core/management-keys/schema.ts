import { type Static, Type } from 'typebox'

/** A management key. Only the reply to its creation contains the key itself. Times are Unix seconds. */
export const ManagementKey = Type.Object(
  {
    id: Type.Integer(),
    user_id: Type.Integer(),
    name: Type.String(),
    key_start: Type.String({ description: 'prefix of the key' }),
    scopes: Type.Array(Type.String(), { description: 'such as codes:create, channels:read, logs:*' }),
    quota_max: Type.Union([Type.Integer(), Type.Null()], {
      description: 'total quota that the key may grant in codes, grants and balances; null: unlimited',
    }),
    quota_used: Type.Integer({ description: 'quota that the key has already granted' }),
    expires_at: Type.Integer({ description: '-1: never' }),
    created_at: Type.Integer(),
    last_used_at: Type.Integer({ description: '0: not used yet; accurate to one minute' }),
    revoked_at: Type.Integer({ description: '0: not revoked' }),
  },
  { title: 'ManagementKey' },
)
export type ManagementKey = Static<typeof ManagementKey>
