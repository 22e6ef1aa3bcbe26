import { CHANNEL_STATUS } from './channel.ts'

/*
 * The column `other_info` is the text of a JSON object. Beside why a channel was disabled it has, under `keys`, those of its
 * keys that are set aside, by their digests. What else is in it is somebody else's, and stays.
 */

/** Why one of several keys is not used. */
export interface SetAsideKey {
  readonly status: typeof CHANNEL_STATUS.autoDisabled
  readonly reason: string
  /** Unix seconds. */
  readonly time: number
}
export type SetAsideKeys = Readonly<Record<string, SetAsideKey>>

export const REASON_LENGTH_MAX = 2000

/** Why a channel or a key is out whose account has nothing left. Documented. */
export const NOTHING_LEFT = '余额不足'

/** Why a channel is out whose last key was set aside. */
export function lastKeyReason(reason: string): string {
  return `All keys are disabled; the last one: ${reason}`
}

/**
 * What shows that a channel or a key, out for this reason, works again. An account with nothing left may pass a test, which
 * costs next to nothing; only a balance shows that it was filled, and a balance shows nothing else.
 */
export function proofNeeded(reason: unknown): Proof {
  return reason === NOTHING_LEFT || reason === lastKeyReason(NOTHING_LEFT) ? 'balance' : 'test'
}
export type Proof = 'test' | 'balance'

/** The object in the column; an empty one for anything else. */
export function objectIn(json: string | null): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(json ?? '')
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
      ? (parsed as Record<string, unknown>)
      : {}
  } catch {
    return {}
  }
}

/** The keys that are set aside, by their digests. What somebody else wrote there and is none is left out. */
export function setAsideIn(otherInfo: string | null): SetAsideKeys {
  const { keys } = objectIn(otherInfo)
  if (typeof keys !== 'object' || keys === null) return {}
  const { autoDisabled } = CHANNEL_STATUS
  const found = Object.entries(keys as Record<string, Partial<SetAsideKey> | null>).flatMap(([digest, entry]) => {
    if (entry?.status !== autoDisabled) return []
    const { reason = '', time = 0 } = entry
    return [[digest, { status: autoDisabled, reason: String(reason), time: Number(time) }] as const]
  })
  return Object.fromEntries(found)
}

/** The column with these keys set aside, and no others. */
export function withSetAside(otherInfo: string | null, keys: SetAsideKeys): string {
  const { keys: _, ...rest } = objectIn(otherInfo)
  const info = Object.keys(keys).length ? { ...rest, keys } : rest
  return Object.keys(info).length ? JSON.stringify(info) : ''
}

/** The column with the reason for which the last test failed under `test_failure`; without it for ''. */
export function withTestFailure(otherInfo: string | null, failure: string): string {
  const { test_failure: _, ...rest } = objectIn(otherInfo)
  if (failure === '') return Object.keys(rest).length ? JSON.stringify(rest) : ''
  return JSON.stringify({ ...rest, test_failure: failure.slice(0, REASON_LENGTH_MAX) })
}

/** Those of the keys whose digests are still there. */
export function onlyOf(keys: SetAsideKeys, digests: readonly string[]): SetAsideKeys {
  const kept = new Set(digests)
  return Object.fromEntries(Object.entries(keys).filter(([digest]) => kept.has(digest)))
}
