import type { LiveChannel } from '../../core/channels/routing/directory.ts'
import { parseSettings } from '../../core/channels/settings/settings.ts'
import { findChannelType } from '../../core/channels/types/types.ts'
import type { Conversation } from '../../server/relay/conversation/conversation.ts'
import type { ProviderContext, ProviderRequest } from '../../server/relay/providers/provider.ts'

/** A channel for the relay, by its type number. */
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

/** A client's request for a provider. `conversation`: what a dialect would parse from the body. */
export function askFor({
  body = {},
  conversation = { turns: [], tools: [], extras: {} },
  ...fields
}: Partial<Omit<ProviderRequest, 'conversation'>> & { conversation?: Conversation } = {}): ProviderRequest {
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

/** A provider context without a network: the test supplies the replies. */
export function contextWith(answers: Partial<ProviderContext> = {}): ProviderContext {
  const signatures = new Map<string, string>()
  return {
    call: async ({ url }) => {
      throw new Error(`the test defines no reply of ${url}`)
    },
    download: async (url) => {
      throw new Error(`the test defines no media at ${url}`)
    },
    credential: async (_key, ask) => (await ask()).value,
    forgetCredential: () => undefined,
    signatures: { get: (id) => signatures.get(id), set: (id, signature) => void signatures.set(id, signature) },
    sleep: async () => undefined,
    now: () => 1_700_000_000_000,
    ...answers,
  }
}
