import type { LiveChannel } from '../../../core/channels/routing/directory.ts'
import { candidatesOf, type Pool } from '../../../core/channels/routing/routing.ts'
import { GatewayError } from '../../../core/errors.ts'
import type { Pricing } from '../../../core/pricing/pricing.ts'
import { isRecord } from '../../../core/records.ts'
import type { Json } from '../json.ts'
import { notFound } from './admit-hosted.ts'
import { foldKey } from './folded.ts'
import { type ObjectReference, referencesIn } from './references.ts'
import { hostedUses } from './uses.ts'

/** Values of `conversation` in a session that do not name a conversation. */
const NO_CONVERSATION = new Set(['auto', 'none'])

/**
 * Returns the error if a client's event in a realtime session must be rejected, because it names a stored object of the
 * upstream's account, or a tool with a price, which sessions do not meter.
 */
export function hostedRefusal(
  event: Readonly<Json>,
  { model, channels }: { model: string; channels: Pool<LiveChannel> },
  pricing: Pick<Pricing, 'toolPrice'>,
): GatewayError | undefined {
  const settingsObjects = Object.entries(event).flatMap(([name, value]) =>
    (foldKey(name) === 'session' || foldKey(name) === 'response') && isRecord(value) ? [value] : [],
  )
  const reference = [event, ...settingsObjects].flatMap(referencesIn).find(isReference)
  if (reference && !candidatesOf(channels).every(({ settings }) => settings.sharedObjects)) return notFound(reference)
  const uses = settingsObjects.flatMap((settings) => hostedUses(settings, { dialect: 'openai-responses', model: '' }))
  const costlyUse = uses.find(({ tool }) => pricing.toolPrice(tool, { models: [model], slug: '' }, 'highest') !== 0)
  return costlyUse && new GatewayError('TOOL_NOT_PRICED', { tool: costlyUse.tool })
}

const isReference = ({ kind, id }: ObjectReference): boolean => kind !== 'conversation' || !NO_CONVERSATION.has(id)
