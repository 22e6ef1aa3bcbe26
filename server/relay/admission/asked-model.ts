import type { Body } from '../dialects/dialect.ts'
import { FIELD, withoutFields } from './field-names.ts'

/**
 * Removes fields that let an upstream use another model than the requested model, because the requested model determines the
 * price. Only the operator may map a model to another. Returns the same request if it has no such fields.
 */
export function withoutOtherModels(request: { raw: Buffer; body: Body }): { raw: Buffer; body: Body } {
  const body = withoutFields(request.body, FIELD.otherModels)
  return body === request.body ? request : { raw: Buffer.from(JSON.stringify(body)), body }
}
