import type { Cli } from '../cli.ts'
import { type Client, createClient, type Server } from '../remote/client.ts'
import { hasFields } from '../remote/guards.ts'
import type { ChatConnection } from './chat-connection.ts'
import { type ChatAnswer, type ChatCaller, type ChatMessage, type ChatRequest, costOf, requestChat } from './request.ts'

/** Call of chats with an access token or a session. Chats with an API key use `KEY_CALL`. */
const SESSION_CALL = 'POST /pg/terminal/chat/completions'
const KEY_CALL = 'POST /v1/chat/completions'

type ChatSettings = Omit<ChatRequest, 'messages'>

/** A chat: its settings and messages so far. */
export interface ChatSession {
  settings: ChatSettings
  /** System message; empty if there is none. */
  system: string
  /** Messages so far, without the system message. */
  messages: ChatMessage[]
  /**
   * Sends the messages and the prompt. Passes the reply's text to `onText` as the text arrives. If the request fails,
   * `messages` is unchanged.
   */
  ask(prompt: string, options: { signal: AbortSignal; onText: (text: string) => void }): Promise<ChatAnswer>
  /** Returns the cost in quota; undefined if it is unknown. */
  cost(answer: ChatAnswer): Promise<number | undefined>
  /** Returns the models that the signed-in user, or the API key, can use. */
  models(): Promise<readonly string[]>
}

/** Opens a chat as the signed-in user, or with the API key `key`. `models` returns the models of the signed-in user. */
export async function openSession(
  cli: Cli,
  connection: ChatConnection,
  {
    key,
    settings,
    system,
    models,
  }: { key: string | undefined; settings: ChatSettings; system: string; models: () => Promise<readonly string[]> },
): Promise<ChatSession> {
  const clientOf = (server: Server) =>
    connection.isProxyBypassed ? createClient(server, { texts: cli, env: {} }) : cli.clientOf(server)
  const userClient = await clientOf(connection.server)
  const client = key === undefined ? userClient : await clientOf({ url: connection.server.url, token: key })
  const caller: ChatCaller = {
    texts: cli,
    client,
    call: key === undefined ? SESSION_CALL : KEY_CALL,
    headers: key === undefined ? connection.headers : {},
  }
  const session: ChatSession = {
    settings,
    system,
    messages: [],
    async ask(prompt, options) {
      const userMessage: ChatMessage = { role: 'user', content: prompt }
      const systemMessages: ChatMessage[] = session.system === '' ? [] : [{ role: 'system', content: session.system }]
      const messages = [...systemMessages, ...session.messages, userMessage]
      const answer = await requestChat(caller, { ...session.settings, messages }, options)
      session.messages.push(userMessage, { role: 'assistant', content: answer.content })
      return answer
    },
    // The key may belong to another user, whose log the signed-in user cannot read. An unknown cost is not a failure.
    cost: ({ request_id }) => costOf(userClient, { headers: connection.headers, request_id }).catch(() => undefined),
    models: key === undefined ? models : () => modelsOfKey(client),
  }
  return session
}

async function modelsOfKey(client: Client): Promise<string[]> {
  const { data } = await client.readWhole(hasFields<{ data: { id: string }[] }>('data'), 'GET /v1/models')
  return data.map(({ id }) => id)
}
