import type { Params } from '../errors.ts'
import { keysOf } from '../records.ts'
import { en } from './en.ts'
import { type CoreTextId, inBoth } from './texts.ts'

export type ReasonName = keyof (typeof en)['reason']
export type FailureName = keyof (typeof en)['failure']

/**
 * A reason as parameters of an error, in English (also for logs) and in Chinese. If the reason is a foreign text, such
 * as an upstream's message, both parameters have this text.
 */
export type Reason = Readonly<Record<'reason' | 'reason_zh', string>>

/** Returns a reason with its values, as parameters of an error. */
export function because(name: ReasonName, values: Params = {}): Reason {
  return reasonOf(`reason.${name}`, values)
}

/** Returns the gateway's own message about a failed attempt. */
export function failureMessage(name: FailureName, values: Params = {}): Reason {
  return reasonOf(`failure.${name}`, values)
}

/** Returns the reason for a violated keyword of JSON Schema, or undefined if there is no text for the keyword. */
export function violation(keyword: string, values: Params): Reason | undefined {
  const matchingKeyword = keysOf(en.violation).find((each) => each === keyword)
  return matchingKeyword && reasonOf(`violation.${matchingKeyword}`, values)
}

function reasonOf(id: CoreTextId, values: Params): Reason {
  const both = inBoth(id, values)
  return { reason: both.en, reason_zh: both.zh }
}
