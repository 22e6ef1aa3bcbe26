import { Type } from 'typebox'
import type { Idempotency } from '../../core/idempotency.ts'

/** The header of calls that do something only once. `again`: what the same call does with the same key. */
export const idempotencyHeader = (again: string) =>
  Type.Object({
    'idempotency-key': Type.Optional(
      Type.String({
        description:
          `a text of your choice, up to 255 characters. The same key with the same body ${again}; with another body it is ` +
          'refused. Everybody has keys of their own; they never expire',
      }),
    ),
  })

/** What the header says; undefined where it is left out. */
export function idempotencyOf({
  'idempotency-key': idempotencyKey,
}: {
  'idempotency-key'?: string
}): Idempotency | undefined {
  return idempotencyKey === undefined ? undefined : { idempotencyKey }
}
