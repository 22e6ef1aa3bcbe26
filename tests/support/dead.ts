import type { LocalToolkit } from '../../core/toolkit.ts'
import type { TestToolkit } from './toolkit.ts'

/** Longer than a process may be silent before it is declared dead. */
const MINUTE_S = 60

/**
 * Declares every process dead that does not beat between two looks which are a minute apart, by the clock of the Toolkit that
 * looks. Returns that Toolkit.
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
