import type { Body } from '../dialects/dialect.ts'
import { FIELD, withoutMeanings } from './field-names.ts'

/**
 * Removes fields that let an upstream use another model than the requested one. The requested model determines the
 * price, and only the operator may map that model to another model. Returns the same object if nothing is removed.
 */
export function withoutOtherModels(request: { raw: Buffer; body: Body }): { raw: Buffer; body: Body } {
  const body = withoutMeanings(request.body, FIELD.otherModels)
  return body === request.body ? request : { raw: Buffer.from(JSON.stringify(body)), body }
}
