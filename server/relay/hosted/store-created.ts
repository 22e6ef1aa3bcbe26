import type { Logger } from 'pino'
import { withinDatabaseWait } from '../../../core/db/unavailable.ts'
import type { StoredObject } from '../../../core/stored-objects.ts'
import type { LocalToolkit } from '../../../core/toolkit.ts'
import type { AnsweredRelay } from '../charging/charge.ts'
import type { Meter } from '../charging/meter.ts'

/** A relay as far as what it creates goes. */
export type CreatedBy = Pick<AnsweredRelay, 'admitted' | 'served' | 'meter'>

/**
 * Writes down what the upstream has stored for a user. If the database does not answer, the reply goes on: it is charged, and only
 * what it stored cannot be used until the row is there.
 */
export async function storeCreated(
  { admitted, served, meter }: CreatedBy,
  { toolkit, logger }: { toolkit: Pick<LocalToolkit, 'storedObjects'>; logger: Logger },
): Promise<void> {
  const { channel } = served
  const objects = [...(meter.stored?.values() ?? [])].map((object) => ({ ...object, tokens: tokensOf(object, meter) }))
  const place = { channelId: channel.id, keyDigest: channel.keyName?.digest ?? '' }
  try {
    await withinDatabaseWait(toolkit.storedObjects.add(admitted.caller.user.id, place, objects))
  } catch (error) {
    logger.error({ requestId: admitted.requestId, err: error }, 'stored objects not recorded')
  }
}

/** A response or message counts as its prompt and its output, other objects as a part of its output. */
function tokensOf({ kind }: StoredObject, { usage }: Pick<Meter, 'usage'>): number | undefined {
  if (!usage) return undefined
  return kind === 'response' || kind === 'message'
    ? usage.promptTokens + usage.completionTokens
    : usage.completionTokens
}
