import type { LocalToolkit } from '../../core/toolkit.ts'
import type { TestToolkit } from './toolkit.ts'

/** Opens another process on the fixture's database, as far as limits are concerned. */
export async function startedProcess({ another }: Pick<TestToolkit, 'another'>): Promise<LocalToolkit> {
  const toolkit = await another()
  await toolkit.ledger.start()
  await toolkit.liveLimits.start()
  await toolkit.events.follow()
  return toolkit
}
