import type { LiveChannel } from '../../core/channels/directory.ts'
import { parseSettings } from '../../core/channels/settings.ts'
import { findChannelType } from '../../core/channels/types.ts'
import type { Conversation } from '../../server/relay/conversation/conversation.ts'
import type { Ask, Means } from '../../server/relay/providers/provider.ts'

/** A channel as the relay has it, of a type by its number. */
export function liveChannel(type: number, fields: Partial<LiveChannel> = {}): LiveChannel {
  const row = findChannelType(type)
  if (!row) throw new Error(`There is no channel type ${type}`)
  return {
    id: 7,
    name: 'a channel',
    type: row,
    key: 'sk-channel-key-1234567890',
    baseUrl: row.baseUrl || 'https://upstream.example',
    other: '',
    organization: '',
    models: [],
    groups: ['default'],
    modelMapping: {},
    statusCodeMapping: {},
    priority: 0,
    weight: 0,
    autoBan: true,
    status: 1,
    testModel: '',
    settings: parseSettings(null),
    ...fields,
  }
}

/** A client's request for a provider. `conversation`: what a dialect would have read from the body. */
export function askFor({
  body = {},
  conversation = { turns: [], tools: [], extras: {} },
  ...fields
}: Partial<Omit<Ask, 'conversation'>> & { conversation?: Conversation } = {}): Ask {
  const raw = Buffer.from(JSON.stringify(body))
  return {
    operation: 'chat',
    dialect: 'openai-chat',
    raw,
    body,
    model: 'upstream-model',
    requestedModel: 'asked-model',
    stream: false,
    query: '',
    headers: {},
    conversation: () => conversation,
    ...fields,
  }
}

/** Means without a network: calls are answered by the test. */
export function meansWith(answers: Partial<Means> = {}): Means {
  const signatures = new Map<string, string>()
  return {
    call: async ({ url }) => {
      throw new Error(`Nobody said what ${url} answers`)
    },
    media: async (url) => {
      throw new Error(`Nobody said what ${url} is`)
    },
    credential: async (_key, ask) => (await ask()).value,
    forgetCredential: () => undefined,
    signatures: { get: (id) => signatures.get(id), set: (id, signature) => void signatures.set(id, signature) },
    sleep: async () => undefined,
    now: () => 1_700_000_000_000,
    ...answers,
  }
}
