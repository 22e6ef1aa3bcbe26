import { CommandError } from '../errors.ts'
import type { CallName, Client } from '../remote/client.ts'
import { relayErrorOf } from '../remote/relay-error.ts'
import type { Texts } from '../texts.ts'

export interface ChatMessage {
  role: 'system' | 'user' | 'assistant'
  content: string
}

/** A chat request. If a value is undefined, the gateway or the upstream chooses it. */
export interface ChatRequest {
  model: string
  messages: readonly ChatMessage[]
  temperature?: number | undefined
  max_tokens?: number | undefined
  group?: string | undefined
  stream: boolean
}

interface ChatUsage {
  prompt_tokens: number
  completion_tokens: number
}

export interface ChatAnswer {
  content: string
  model: string
  finish_reason: string | null
  usage: ChatUsage | undefined
  /** Empty if the reply has no request id. */
  request_id: string
}

/** The client, call and headers of chat requests. */
export interface ChatCaller {
  texts: Texts
  client: Client
  call: CallName
  headers: Readonly<Record<string, string>>
}

const REQUEST_ID_HEADER = 'x-oneapi-request-id'
const BROKEN_STREAM_STATUS = 502
/** Maximum time until the first byte. Reasoning models can take minutes. */
const FIRST_BYTE_TIMEOUT_MS = 30 * 60_000

/** The fields read from an OpenAI chat reply or stream chunk. */
interface Piece {
  model?: unknown
  usage?: Partial<ChatUsage> | null
  choices?: { delta?: { content?: unknown }; message?: { content?: unknown }; finish_reason?: unknown }[]
}

/**
 * Sends a chat request and passes the reply's text to `onText` as the text arrives. Throws the gateway's error,
 * ANSWER_BROKEN if the reply is incomplete, or the reason of an aborted signal.
 */
export async function requestChat(
  { texts: { t }, client, call, headers }: ChatCaller,
  request: ChatRequest,
  { signal, onText }: { signal: AbortSignal; onText: (text: string) => void },
): Promise<ChatAnswer> {
  if (!request.stream) {
    const options = { body: request, headers, signal, timeoutMs: FIRST_BYTE_TIMEOUT_MS }
    const { document, headers: responseHeaders } = await client.ask(call, options)
    const { answer, take } = createCollector(request, responseHeaders, onText)
    take(document)
    return answer
  }
  const body = { ...request, stream_options: { include_usage: true } }
  const response = await client.open(call, { body, headers, signal, timeoutMs: FIRST_BYTE_TIMEOUT_MS })
  const { answer, take } = createCollector(request, response.headers, onText)
  const brokenAnswer = (cause?: unknown) => new CommandError('ANSWER_BROKEN', t('chat.theAnswerEndedEarly'), { cause })
  try {
    if (!response.body || !response.headers.get('content-type')?.includes('event-stream')) throw brokenAnswer()
    for await (const data of serverEventsOf(response.body)) {
      if (data === '[DONE]') return answer
      const piece = JSON.parse(data) as Record<string, unknown>
      const relayError = relayErrorOf(BROKEN_STREAM_STATUS, piece)
      if (relayError) throw relayError
      take(piece)
    }
  } catch (error) {
    signal.throwIfAborted()
    throw error instanceof TypeError || error instanceof SyntaxError || error instanceof RangeError
      ? brokenAnswer(error)
      : error
  }
  throw brokenAnswer()
}

/** Collects the reply from its chunks. */
function createCollector(
  { model }: ChatRequest,
  headers: Headers,
  onText: (text: string) => void,
): { answer: ChatAnswer; take(piece: Piece): void } {
  const answer: ChatAnswer = {
    content: '',
    model,
    finish_reason: null,
    usage: undefined,
    request_id: headers.get(REQUEST_ID_HEADER) ?? '',
  }
  function take(piece: Piece): void {
    const [choice] = piece.choices ?? []
    const text = choice?.delta?.content ?? choice?.message?.content
    if (typeof piece.model === 'string' && piece.model !== '') answer.model = piece.model
    if (typeof choice?.finish_reason === 'string') answer.finish_reason = choice.finish_reason
    const { prompt_tokens, completion_tokens } = piece.usage ?? {}
    if (typeof prompt_tokens === 'number' && typeof completion_tokens === 'number') {
      answer.usage = { prompt_tokens, completion_tokens }
    }
    if (typeof text !== 'string' || text === '') return
    answer.content += text
    onText(text)
  }
  return { answer, take }
}

/** Returns the cost of a chat in quota, read from the user's log; undefined if the log has no row of the request. */
export async function costOf(
  client: Client,
  { headers, request_id }: Pick<ChatCaller, 'headers'> & Pick<ChatAnswer, 'request_id'>,
): Promise<number | undefined> {
  if (request_id === '') return undefined
  const { items } = await client.read('GET /api/log/self', { query: { p: 1, page_size: 1, request_id }, headers })
  return items[0]?.quota
}

const EVENT_LENGTH_MAX = 16 * 1024 * 1024

/** Yields the data of each server-sent event, which may span chunks. Throws RangeError for a too long event. */
async function* serverEventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let incompleteEvent = ''
  const decoder = new TextDecoder()
  for await (const chunk of body) {
    incompleteEvent += decoder.decode(chunk, { stream: true })
    const events = incompleteEvent.split(/\r?\n\r?\n/)
    incompleteEvent = events.pop() ?? ''
    if (incompleteEvent.length > EVENT_LENGTH_MAX) throw new RangeError('an event of the stream does not end')
    for (const event of events) yield* dataOf(event)
  }
  yield* dataOf(incompleteEvent)
}

function* dataOf(event: string): Generator<string> {
  const lines = event.split(/\r?\n/).filter((line) => line.startsWith('data:'))
  if (lines.length > 0) yield lines.map((line) => line.slice('data:'.length).replace(/^ /, '')).join('\n')
}
