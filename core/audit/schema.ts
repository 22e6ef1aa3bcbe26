import { type Static, Type } from 'typebox'

const Fields = Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()])

/** One action of an administrator. */
export const AuditEntry = Type.Object(
  {
    id: Type.Integer(),
    created_at: Type.Integer({ description: 'unix seconds' }),
    actor_id: Type.Integer({ description: '0: an operator at the terminal, before the root user existed' }),
    actor: Type.String({ description: 'user name at that time; at the terminal, the operating-system user' }),
    address: Type.String({ description: 'IP address, or `terminal`' }),
    action: Type.String(),
    object: Type.String({ description: 'kind, or kind:id' }),
    before: Fields,
    after: Fields,
  },
  { title: 'AuditEntry' },
)
export type AuditEntry = Static<typeof AuditEntry>
