import type { LocalToolkit } from '../../core/toolkit.ts'
import type { TestToolkit } from './toolkit.ts'

/** Longer than the silence after which a process is declared dead. */
const MINUTE_S = 60

/**
 * Declares all processes dead that send no heartbeat during `between`: another Toolkit checks twice, a minute apart by its
 * own clock. Returns that Toolkit.
 */
export async function releaseAllDead(
  { another }: Pick<TestToolkit, 'another'>,
  between: () => Promise<unknown> = async () => {},
): Promise<LocalToolkit> {
  let now = Math.floor(Date.now() / 1000)
  const later = await another({ now: () => now })
  await later.ledger.releaseDead()
  now += MINUTE_S
  await between()
  await later.ledger.releaseDead()
  return later
}
