import type { Cli } from '../cli.ts'
import { type Client, createClient, type Server } from '../remote/client.ts'
import { recordOf } from '../remote/guards.ts'
import type { ChatConnection } from './chat-connection.ts'
import { type ChatAnswer, type ChatCaller, type ChatMessage, type ChatRequest, costOf, requestChat } from './request.ts'

/** For access tokens and sessions; API keys use KEY_PATH. */
const OWN_PATH = '/pg/terminal/chat/completions'
const KEY_PATH = '/v1/chat/completions'

export interface ChatSettings extends Omit<ChatRequest, 'messages' | 'model'> {
  model: string
}

/** A chat: its settings and messages so far. */
export interface ChatSession {
  settings: ChatSettings
  system: string
  /** Without the system message. */
  messages: ChatMessage[]
  /** Sends the prompt with all messages; the reply's text goes to `onText` as it arrives. Keeps the messages unchanged on failure. */
  ask(prompt: string, options: { signal: AbortSignal; onText: (text: string) => void }): Promise<ChatAnswer>
  /** In quota; undefined if unknown. */
  cost(answer: ChatAnswer): Promise<number | undefined>
  /** Models available to the caller. */
  models(): Promise<readonly string[]>
}

/** `key`: API key for the requests, instead of the signed-in user; `models`: the models of that user. */
export async function openSession(
  cli: Cli,
  door: ChatConnection,
  {
    key,
    settings,
    system,
    models,
  }: { key: string | undefined; settings: ChatSettings; system: string; models: () => Promise<readonly string[]> },
): Promise<ChatSession> {
  const clientOf = (server: Server) =>
    door.isProxyBypassed ? createClient(server, { texts: cli, env: {} }) : cli.clientOf(server)
  const userClient = await clientOf(door.server)
  const client = key === undefined ? userClient : await clientOf({ url: door.server.url, token: key })
  const asking: ChatCaller = {
    texts: cli,
    client,
    path: key === undefined ? OWN_PATH : KEY_PATH,
    headers: key === undefined ? door.headers : {},
  }
  const session: ChatSession = {
    settings,
    system,
    messages: [],
    async ask(prompt, options) {
      const userMessage: ChatMessage = { role: 'user', content: prompt }
      const first: ChatMessage[] = session.system === '' ? [] : [{ role: 'system', content: session.system }]
      const messages = [...first, ...session.messages, userMessage]
      const answer = await requestChat(asking, { ...session.settings, messages }, options)
      session.messages.push(userMessage, { role: 'assistant', content: answer.content })
      return answer
    },
    // The key may belong to another user, whose log is not readable. An unknown cost is not a failure.
    cost: ({ request_id }) => costOf(userClient, { headers: door.headers, request_id }).catch(() => undefined),
    models: key === undefined ? models : () => modelsOfKey(client),
  }
  return session
}

async function modelsOfKey(client: Client): Promise<string[]> {
  const { data } = await client.readWhole(recordOf<{ data: { id: string }[] }>('data'), 'GET', '/v1/models')
  return data.map(({ id }) => id)
}
