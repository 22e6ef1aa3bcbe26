import type { Logger } from 'pino'
import { withinDatabaseWait } from '../../../core/db/unavailable.ts'
import type { StoredObject } from '../../../core/stored-objects.ts'
import type { LocalToolkit } from '../../../core/toolkit.ts'
import { objectOwnerOf } from '../admission/authenticate.ts'
import type { AnsweredRelay } from '../charging/charge.ts'
import type { Meter } from '../charging/meter.ts'

/** The parts of a relay that determine the objects it created. */
export type CreatingRelay = Pick<AnsweredRelay, 'admitted' | 'served' | 'meter'>

/**
 * Records the objects that the upstream stored for a user. If the database is unavailable, the reply continues: it is charged,
 * and only its stored objects cannot be used until their rows exist.
 */
export async function storeCreated(
  { admitted, served, meter }: CreatingRelay,
  { toolkit, logger }: { toolkit: Pick<LocalToolkit, 'storedObjects'>; logger: Logger },
): Promise<void> {
  const { channel } = served
  const objects = [...(meter.stored?.values() ?? [])].map((object) => ({ ...object, tokens: tokensOf(object, meter) }))
  const place = { channelId: channel.id, keyDigest: channel.keyName?.digest ?? '' }
  try {
    await withinDatabaseWait(toolkit.storedObjects.add(objectOwnerOf(admitted.caller), place, objects))
  } catch (error) {
    logger.error({ requestId: admitted.requestId, err: error }, 'stored objects not recorded')
  }
}

/** The tokens of a response or message are its prompt and output, those of other objects only the output. */
function tokensOf({ kind }: StoredObject, { usage }: Pick<Meter, 'usage'>): number | undefined {
  if (!usage) return undefined
  return kind === 'response' || kind === 'message'
    ? usage.promptTokens + usage.completionTokens
    : usage.completionTokens
}
