import type { Cli } from '../cli.ts'
import { type Client, createClient, type Server } from '../remote/client.ts'
import { recordOf } from '../remote/outline.ts'
import { type Asking, askChat, type ChatAnswer, type ChatRequest, costOf, type Message } from './ask.ts'
import type { ChatDoor } from './door.ts'

/** With an access token or a session; an API key goes where programs go. */
const OWN_PATH = '/pg/terminal/chat/completions'
const KEY_PATH = '/v1/chat/completions'

export interface ChatSettings extends Omit<ChatRequest, 'messages' | 'model'> {
  model: string
}

/** A chat that is going on: what was said, and how it goes on. */
export interface ChatSession {
  settings: ChatSettings
  system: string
  /** Without the system's. */
  messages: Message[]
  /** Asks on; what is said is told as it comes. What failed leaves the messages as they were. */
  ask(prompt: string, options: { signal: AbortSignal; onText: (text: string) => void }): Promise<ChatAnswer>
  /** In quota; undefined where nobody says. */
  cost(answer: ChatAnswer): Promise<number | undefined>
  /** The models that can be asked for. */
  models(): Promise<readonly string[]>
}

/** `key`: an API key to chat with instead of as the signed-in user; `models`: what that user can ask for. */
export async function openSession(
  cli: Cli,
  door: ChatDoor,
  {
    key,
    settings,
    system,
    models,
  }: { key: string | undefined; settings: ChatSettings; system: string; models: () => Promise<readonly string[]> },
): Promise<ChatSession> {
  const clientOf = (server: Server) =>
    door.direct ? createClient(server, { texts: cli, env: {} }) : cli.clientOf(server)
  const own = await clientOf(door.server)
  const client = key === undefined ? own : await clientOf({ url: door.server.url, token: key })
  const asking: Asking = {
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
      const asked: Message = { role: 'user', content: prompt }
      const first: Message[] = session.system === '' ? [] : [{ role: 'system', content: session.system }]
      const messages = [...first, ...session.messages, asked]
      const answer = await askChat(asking, { ...session.settings, messages }, options)
      session.messages.push(asked, { role: 'assistant', content: answer.content })
      return answer
    },
    // A key may be somebody else's, whom the own log does not know; and no answer has failed because nobody says what it cost.
    cost: ({ request_id }) => costOf(own, { headers: door.headers, request_id }).catch(() => undefined),
    models: key === undefined ? models : () => modelsOfKey(client),
  }
  return session
}

async function modelsOfKey(client: Client): Promise<string[]> {
  const { data } = await client.readWhole(recordOf<{ data: { id: string }[] }>('data'), 'GET', '/v1/models')
  return data.map(({ id }) => id)
}
