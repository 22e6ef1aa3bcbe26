import { type Static, Type } from 'typebox'

/** A management key. Only the reply to its creation contains the key itself. Times are unix seconds. */
export const ManagementKey = Type.Object({
  id: Type.Integer(),
  user_id: Type.Integer(),
  name: Type.String(),
  key_start: Type.String({ description: 'the first characters of the key' }),
  scopes: Type.Array(Type.String(), { description: 'such as codes:create, channels:read, logs:*' }),
  quota_max: Type.Union([Type.Integer(), Type.Null()], {
    description: 'quota that the key may give away in codes, grants and balances, in all; null: not limited',
  }),
  quota_used: Type.Integer({ description: 'of that' }),
  expires_at: Type.Integer({ description: '-1: never' }),
  created_at: Type.Integer(),
  last_used_at: Type.Integer({ description: '0: not used yet; to the minute' }),
  revoked_at: Type.Integer({ description: '0: not revoked' }),
})
export type ManagementKey = Static<typeof ManagementKey>
