import type { Actor } from '../../../core/actor.ts'
import type { NewLimit } from '../../../core/limits/limit.ts'
import type { CommandToolkit } from '../../toolkit.ts'

/** The API's maximum per call. */
const LIMITS_PER_CALL = 100

/** Sets the same limits on several tokens. Throws like `Limits.set`. */
export async function limitTokens(
  { limits }: Pick<CommandToolkit, 'limits'>,
  actor: Actor,
  { ids, limits: wanted }: { ids: readonly number[]; limits: readonly Omit<NewLimit, 'subject' | 'subject_id'>[] },
): Promise<void> {
  const all = ids.flatMap((id) =>
    wanted.map((limit) => ({ subject: 'token', subject_id: String(id), ...limit }) as const),
  )
  for (let at = 0; at < all.length; at += LIMITS_PER_CALL) {
    await limits.set(actor, all.slice(at, at + LIMITS_PER_CALL))
  }
}
