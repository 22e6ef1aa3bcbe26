import { type Static, Type } from 'typebox'

/** A group. Administrators also get its numbers of users, tokens and channels. */
export const Group = Type.Object(
  {
    name: Type.String(),
    ratio: Type.Number({ description: 'price multiplier' }),
    desc: Type.String(),
    selectable: Type.Boolean({ description: 'all users may choose the group, not only its members' }),
    users: Type.Optional(Type.Integer()),
    tokens: Type.Optional(Type.Integer()),
    channels: Type.Optional(Type.Integer()),
  },
  { title: 'Group' },
)
export type Group = Static<typeof Group>
