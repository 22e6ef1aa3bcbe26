import { Type } from 'typebox'
import type { Log } from '../../core/logs/schema.ts'
import type { RequestTrace } from '../../core/logs/trace-schema.ts'
import { Id, int32Field, PageFields, rangeFields, Text } from './fields.ts'

export const LogFilterFields = {
  type: int32Field('0 is all'),
  token_name: Type.Optional(Text),
  model_name: Type.Optional(Type.String({ maxLength: 255, description: '% and _ are wildcards' })),
  group: Type.Optional(Text),
  username: Type.Optional(Text),
  channel: Type.Optional(Id),
  request_id: Type.Optional(Text),
  ...rangeFields('seconds'),
}
export const LogPageQuery = Type.Object({
  ...PageFields,
  ...LogFilterFields,
})

const ID_MODULUS = 1024

/**
 * Reduces the id of a log row modulo 1024, because full ids would reveal to users how many requests the gateway relays.
 */
export function forUser(log: Log): Log {
  return { ...log, id: log.id % ID_MODULUS }
}

/** Applies `forUser` to the log row in a request's trace. */
export function traceForUser({ receipt, ...trace }: RequestTrace): RequestTrace {
  return receipt ? { ...trace, receipt: { ...receipt, log: forUser(receipt.log) } } : trace
}
