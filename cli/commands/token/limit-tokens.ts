import type { Actor } from '../../../core/actor.ts'
import { checkCombination, checkLimit } from '../../../core/limits/check.ts'
import type { Limit } from '../../../core/limits/limit.ts'
import type { CommandToolkit } from '../../toolkit.ts'
import type { TokenLimit } from './fields.ts'

type Limits = Pick<CommandToolkit, 'limits'>

/** The API's maximum number of limits per call. */
const LIMITS_PER_CALL = 100
/** Id in place of the id of a token that does not exist yet. */
const PLACEHOLDER_ID = '1'

/** Returns the limits that were set for this token. Omits limits that apply to every token (`*`). */
export async function limitsOfToken({ limits }: Limits, actor: Actor, id: number): Promise<Limit[]> {
  const subject_id = String(id)
  const visible = await limits.list(actor, { subject: 'token', subject_id })
  return visible.filter((limit) => limit.subject_id === subject_id)
}

/** Fills omitted fields of limits from the limits that they replace. A new money limit without a time zone gets UTC. */
export function withExisting(wanted: readonly TokenLimit[], existing: readonly Limit[]): TokenLimit[] {
  return wanted.map((limit) => {
    const replaced = existing.find((each) => isReplaced(each, limit))
    if (!replaced) return limit.measure === 'quota' ? { time_zone: 'UTC', ...limit } : limit
    const { time_zone, action, wait_seconds } = replaced
    return { time_zone, action, wait_seconds, ...limit }
  })
}

/** Checks the limits of one token. Throws the errors of `Limits.set` about invalid and contradicting limits. */
export function checkTokenLimits(wanted: readonly TokenLimit[], existing: readonly Limit[] = []): void {
  const newLimits = wanted.map((limit) => checkLimit({ subject: 'token', subject_id: PLACEHOLDER_ID, ...limit }))
  const remainingLimits = existing.filter((each) => !newLimits.some((limit) => isReplaced(each, limit)))
  checkCombination([...remainingLimits, ...newLimits])
}

/** Sets the same limits on several tokens. Throws like `Limits.set`. */
export async function limitTokens(
  { limits }: Limits,
  actor: Actor,
  { ids, limits: wanted }: { ids: readonly number[]; limits: readonly TokenLimit[] },
): Promise<void> {
  const all = ids.flatMap((id) =>
    wanted.map((limit) => ({ subject: 'token', subject_id: String(id), ...limit }) as const),
  )
  for (let at = 0; at < all.length; at += LIMITS_PER_CALL) {
    await limits.set(actor, all.slice(at, at + LIMITS_PER_CALL))
  }
}

/** Restores the earlier limits of a token after `wanted` were set. Throws like `Limits.set` and `Limits.remove`. */
export async function restoreLimits(
  toolkit: Limits,
  actor: Actor,
  { id, wanted, earlier }: { id: number; wanted: readonly TokenLimit[]; earlier: readonly Limit[] },
): Promise<void> {
  const isWanted = (limit: Limit) => wanted.some((each) => isReplaced(limit, each))
  const isEarlier = (limit: Limit) => earlier.some((each) => each.id === limit.id)
  // New limits are removed first, because the earlier limits may contradict the new limits.
  for (const limit of await limitsOfToken(toolkit, actor, id)) {
    if (isWanted(limit) && !isEarlier(limit)) await toolkit.limits.remove(actor, limit.id)
  }
  const limits = earlier.filter(isWanted)
  if (limits.length > 0) await limitTokens(toolkit, actor, { ids: [id], limits: limits.map(fieldsOf) })
}

const fieldsOf = ({ measure, period, amount, time_zone, action, wait_seconds }: Limit): TokenLimit => ({
  measure,
  period,
  amount,
  time_zone,
  action,
  wait_seconds,
})

type Window = Pick<Limit, 'measure' | 'period'>

const isReplaced = (existing: Window, wanted: Window): boolean =>
  existing.measure === wanted.measure && existing.period === wanted.period
