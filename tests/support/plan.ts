import type { LiveChannel } from '../../core/channels/routing/directory.ts'
import type { Conversation } from '../../server/relay/conversation/conversation.ts'
import type { ProviderContext } from '../../server/relay/providers/provider.ts'
import { providerFor } from '../../server/relay/providers/providers.ts'
import { askFor, contextWith, liveChannel } from './ask.ts'

/** Returns a channel type's upstream request for a client's request, and how its reply is read. */
export async function planned(
  type: number,
  ask: Parameters<typeof askFor>[0],
  { channel = {}, context = {} }: { channel?: Partial<LiveChannel>; context?: Partial<ProviderContext> } = {},
) {
  const live = liveChannel(type, channel)
  const providerRequest = askFor(ask)
  const plan = await providerFor(live.type).plan(providerRequest, live, contextWith(context))
  const { body } = plan.request
  const sent = typeof body === 'string' || Buffer.isBuffer(body) ? JSON.parse(body.toString()) : undefined
  return { plan, sent: sent as Record<string, unknown>, isRaw: body === providerRequest.raw, ...plan.request }
}

/** A client's chat completions request for an unmapped model. */
export function chatAsk(body: Record<string, unknown>): NonNullable<Parameters<typeof askFor>[0]> {
  const model = String(body.model)
  return { body, model, requestedModel: model, stream: body.stream === true }
}

/** A one-word conversation from any dialect. */
export function conversationOf(fields: Partial<Conversation> = {}): Conversation {
  return { turns: [{ role: 'user', parts: [{ kind: 'text', text: 'hi' }] }], tools: [], extras: {}, ...fields }
}
