import { type Static, Type } from 'typebox'

/** A redemption code, as the management API returns it. */
export const Redemption = Type.Object(
  {
    id: Type.Integer(),
    user_id: Type.Integer({ description: 'creator' }),
    key: Type.String(),
    status: Type.Integer({ description: '1 unused, 2 disabled, 3 used' }),
    name: Type.String(),
    quota: Type.Integer(),
    created_time: Type.Integer(),
    redeemed_time: Type.Integer({ description: '0 = not yet' }),
    count: Type.Integer({ description: 'always 0; used only in requests' }),
    used_user_id: Type.Integer(),
    DeletedAt: Type.Union([Type.String(), Type.Null()]),
  },
  { title: 'RedemptionCode' },
)
export type Redemption = Static<typeof Redemption>
