import { Type } from 'typebox'
import type { Idempotency } from '../../core/idempotency.ts'

/** Returns the header schema of calls that take effect only once per key. `again` describes a repeated call. */
export const idempotencyHeader = (again: string) =>
  Type.Object({
    'idempotency-key': Type.Optional(
      Type.String({
        description:
          `a text of your choice, up to 255 characters. The same key with the same body ${again}; with another body it is ` +
          'rejected. Keys belong to one user; they never expire',
      }),
    ),
  })

export function idempotencyOf({
  'idempotency-key': idempotencyKey,
}: {
  'idempotency-key'?: string
}): Idempotency | undefined {
  return idempotencyKey === undefined ? undefined : { idempotencyKey }
}
