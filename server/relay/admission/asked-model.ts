import type { Body } from '../dialects/dialect.ts'
import { FIELD, withoutFields } from './field-names.ts'

/**
 * A request that only the model which it asks for may answer: the caller pays that one's price, and which model it is at an
 * upstream is for the operator to say. The very same bytes where it names no others.
 */
export function withoutOtherModels(request: { raw: Buffer; body: Body }): { raw: Buffer; body: Body } {
  const body = withoutFields(request.body, FIELD.otherModels)
  return body === request.body ? request : { raw: Buffer.from(JSON.stringify(body)), body }
}
