import type { LiveChannel } from '../../core/channels/directory.ts'
import type { Conversation } from '../../server/relay/conversation/conversation.ts'
import type { Means } from '../../server/relay/providers/provider.ts'
import { providerFor } from '../../server/relay/providers/providers.ts'
import { askFor, liveChannel, meansWith } from './ask.ts'

/** What an upstream of a type is sent for a client's request, and how its reply is to be read. */
export async function planned(
  type: number,
  ask: Parameters<typeof askFor>[0],
  { channel = {}, means = {} }: { channel?: Partial<LiveChannel>; means?: Partial<Means> } = {},
) {
  const live = liveChannel(type, channel)
  const asked = askFor(ask)
  const plan = await providerFor(live.type).plan(asked, live, meansWith(means))
  const { body } = plan.request
  const sent = typeof body === 'string' || Buffer.isBuffer(body) ? JSON.parse(body.toString()) : undefined
  return { plan, sent: sent as Record<string, unknown>, isRaw: body === asked.raw, ...plan.request }
}

/** A client's chat completions request for a model that is not mapped. */
export function chatAsk(body: Record<string, unknown>): NonNullable<Parameters<typeof askFor>[0]> {
  const model = String(body.model)
  return { body, model, requestedModel: model, stream: body.stream === true }
}

/** A conversation of one word, in whatever dialect a client had it. */
export function conversationOf(fields: Partial<Conversation> = {}): Conversation {
  return { turns: [{ role: 'user', parts: [{ kind: 'text', text: 'hi' }] }], tools: [], extras: {}, ...fields }
}
