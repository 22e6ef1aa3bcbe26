import type { Logger } from 'pino'
import { withinDatabaseWait } from '../../../core/db/unavailable.ts'
import type { StoredObject } from '../../../core/stored-objects.ts'
import type { LocalToolkit } from '../../../core/toolkit.ts'
import { objectOwnerOf } from '../admission/authenticate.ts'
import type { AnsweredRelay } from '../charging/charge.ts'
import type { Meter } from '../charging/meter.ts'

/** The data of a relay that determines which objects it created. */
type CreatingRelay = Pick<AnsweredRelay, 'admitted' | 'served' | 'meter'>

/**
 * Records the objects that the upstream stored for a user, so that the user's later requests may name them. Only logs a
 * failure, so that the reply continues.
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

/** Returns the tokens of an object: the output, and for a response or a message also the prompt. */
function tokensOf({ kind }: StoredObject, { usage }: Pick<Meter, 'usage'>): number | undefined {
  if (!usage) return undefined
  return kind === 'response' || kind === 'message'
    ? usage.promptTokens + usage.completionTokens
    : usage.completionTokens
}
