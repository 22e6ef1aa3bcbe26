import { parseObject } from '../../input.ts'
import { recordOf } from '../../records.ts'
import { CHANNEL_STATUS } from '../channel.ts'

// The column `other_info` is a JSON object. It contains the reason why a channel was disabled, the failure of its last
// test and, under `keys`, its disabled keys by digest. Fields of other programs are kept.

/** Why and when one of several keys was disabled. */
export interface DisabledKey {
  readonly status: typeof CHANNEL_STATUS.autoDisabled
  readonly reason: string
  /** Unix seconds. */
  readonly time: number
}
export type DisabledKeys = Readonly<Record<string, DisabledKey>>

export const REASON_LENGTH_MAX = 2000

/** The reason for disabling a channel or key whose account has no balance left. The documented API has this text. */
export const NO_BALANCE_REASON = '余额不足'

/** The reason of a key that an import found disabled by hand. */
export const BY_HAND_AT_SOURCE = 'disabled by hand at the source of the import'

/** Returns the reason of a channel that was disabled because its last key was disabled. */
export function lastKeyReason(reason: string): string {
  return `All keys are disabled; the last one: ${reason}`
}

/**
 * Returns the proof that enables a channel or key again after it was disabled for this reason. After an empty balance,
 * only a new balance is a proof, because an empty account may pass a cheap test. For other reasons, only a test is a
 * proof. Keys that were disabled by hand must be enabled by hand (`none`).
 */
export function proofNeeded(reason: unknown): Proof | 'none' {
  if (reason === BY_HAND_AT_SOURCE) return 'none'
  return reason === NO_BALANCE_REASON || reason === lastKeyReason(NO_BALANCE_REASON) ? 'balance' : 'test'
}
/** Proof that a channel or key works again: a passed test, or a new balance at the vendor. */
export type Proof = 'test' | 'balance'

/** Returns the object in a JSON text, or an empty object if there is none. */
export function objectIn(json: string | null): Record<string, unknown> {
  return parseObject(json ?? '') ?? {}
}

/** Returns the column with the reason and time (Unix seconds) of a status change. Enabled channels have no reason. */
export function withStatusReason(otherInfo: string, { reason, time }: { reason: string; time: number }): string {
  const reasonFields = { status_reason: reason.slice(0, REASON_LENGTH_MAX), status_time: time }
  return JSON.stringify({ ...objectIn(otherInfo), ...reasonFields })
}

/** Returns the disabled keys by digest. Ignores invalid entries, which other programs may have written. */
export function disabledKeysIn(otherInfo: string | null): DisabledKeys {
  const { keys } = objectIn(otherInfo)
  const { autoDisabled } = CHANNEL_STATUS
  const entries = Object.entries(recordOf(keys)).flatMap(([digest, entry]) => {
    const { status, reason = '', time = 0 } = recordOf(entry)
    if (status !== autoDisabled) return []
    return [[digest, { status: autoDisabled, reason: String(reason), time: Number(time) }] as const]
  })
  return Object.fromEntries(entries)
}

/** Returns the column with exactly these keys disabled. */
export function withDisabledKeys(otherInfo: string | null, keys: DisabledKeys): string {
  const { keys: _, ...otherFields } = objectIn(otherInfo)
  const info = Object.keys(keys).length ? { ...otherFields, keys } : otherFields
  return Object.keys(info).length ? JSON.stringify(info) : ''
}

/** Returns the column with the failure text of the last test under `test_failure`. An empty text removes the field. */
export function withTestFailure(otherInfo: string | null, failure: string): string {
  const { test_failure: _, ...otherFields } = objectIn(otherInfo)
  if (failure === '') return Object.keys(otherFields).length ? JSON.stringify(otherFields) : ''
  return JSON.stringify({ ...otherFields, test_failure: failure.slice(0, REASON_LENGTH_MAX) })
}

/** Returns the disabled keys whose digest is in `digests`. */
export function keepKeys(keys: DisabledKeys, digests: readonly string[]): DisabledKeys {
  const existing = new Set(digests)
  return Object.fromEntries(Object.entries(keys).filter(([digest]) => existing.has(digest)))
}
