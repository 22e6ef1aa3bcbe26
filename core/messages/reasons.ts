import type { Params } from '../errors.ts'
import { en } from './en.ts'
import { type CoreTextId, inBoth } from './texts.ts'

export type ReasonName = keyof (typeof en)['reason']

/**
 * A reason as parameters of an error: in English, which logs contain, and in Chinese. Reasons without a text, such as an upstream's
 * words, are in English or as received.
 */
export type Reason = Readonly<Record<'reason' | 'reason_zh', string>>

/** Returns a reason with its values, to be the parameters of an error. */
export function because(name: ReasonName, values: Params = {}): Reason {
  return reasonOf(`reason.${name}`, values)
}

/** Returns the reason of a violation of a schema, by its keyword of JSON Schema; undefined for keywords that have no text. */
export function violation(keyword: string, values: Params): Reason | undefined {
  return Object.hasOwn(en.violation, keyword) ? reasonOf(`violation.${keyword}` as CoreTextId, values) : undefined
}

function reasonOf(id: CoreTextId, values: Params): Reason {
  const both = inBoth(id, values)
  return { reason: both.en, reason_zh: both.zh }
}
