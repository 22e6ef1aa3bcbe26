import { currentLanguage } from '../language.ts'
import { endSession, session } from '../session.ts'
import { type Opened, readAnswer, refusalCode } from './answer.ts'
import type {
  Answer,
  Data,
  EnvelopeName,
  Name,
  OptionsArgument,
  StreamName,
  StreamOptions,
  WholeName,
} from './calls.ts'

/** Why a call failed; `failure.ts` has the words for each. */
type FailureKind =
  | 'refused' // the server said no, in words for the user
  | 'signed-out' // 401
  | 'no-server' // 405: a page without its server
  | 'too-many' // 429
  | 'server' // 500
  | 'status' // any other HTTP status
  | 'unreadable' // not the envelope
  | 'unreachable' // no answer at all
  | 'slow' // none in time

export class ApiError extends Error {
  override readonly name = 'ApiError'
  constructor(
    readonly kind: FailureKind,
    message = '',
    options?: ErrorOptions,
    /** Of a refusal: which one, in a word that stays the same in every language. */
    readonly code = '',
  ) {
    super(message, options)
  }
}

const TIMEOUT_MS = 30_000
const KIND_OF_STATUS: Record<number, FailureKind> = {
  401: 'signed-out',
  405: 'no-server',
  429: 'too-many',
  500: 'server',
}

/**
 * The console's only way to the server: `call('PUT /api/token/', { body })`. Opens the `{success, message, data}`
 * envelope and answers its data, which has the type that the server's response schema promises. Throws an ApiError; a
 * 401 also ends the local session, and with it the guard leads to the login page.
 */
export async function call<N extends EnvelopeName>(name: N, ...[options]: OptionsArgument<N>): Promise<Data<N>> {
  const { whole } = await open(name, options)
  return whole.data as Data<N>
}

/** As `call`, for an answer whose message says which of two things was done; one of them has no data. */
export async function callForMessage<N extends EnvelopeName>(
  name: N,
  ...[options]: OptionsArgument<N>
): Promise<{ message: string; data: Data<N> | undefined }> {
  const { message, whole } = await open(name, options)
  return { message, data: whole.data as Data<N> | undefined }
}

/** As `call`, for the few answers that say something beside their data. */
export async function callWhole<N extends WholeName>(name: N, ...[options]: OptionsArgument<N>): Promise<Answer<N>> {
  const { whole } = await open(name, options)
  return whole as Answer<N>
}

/** As `call`, for one that a browser is meant to navigate to: when it was done, it leads to the page to go on with. */
export async function callForRedirect<N extends EnvelopeName>(
  name: N,
  ...[options]: OptionsArgument<N>
): Promise<void> {
  await open(name, options, { redirects: true })
}

/** For answers that are read while they come. Its failures are those of `call`; the time limit is for the whole answer. */
export async function openStream<N extends StreamName>(name: N, options: StreamOptions<N>): Promise<Response> {
  const { response, userId, readText } = await send(name, options)
  if (!response.ok) throw failureOf(response, readAnswer(await readText()), userId)
  return response
}

async function open(name: Name, options: Sent = {}, { redirects = false } = {}): Promise<Opened> {
  const { response, userId, readText } = await send(name, options)
  // Elsewhere a redirect is that of some proxy, whose page is no answer.
  if (redirects && response.redirected && response.ok) return { success: true, message: '', whole: {} }
  const answer = readAnswer(await readText())
  if (!response.ok) throw failureOf(response, answer, userId)
  if (!answer) throw new ApiError('unreadable')
  if (!answer.success) throw new ApiError('refused', answer.message, {}, refusalCode(response))
  return answer
}

function failureOf({ status }: Response, answer: Opened | undefined, userId: number | undefined): ApiError {
  const kind = KIND_OF_STATUS[status] ?? 'status'
  // An answer that comes late is about the session of whoever asked, not about that of whoever has come since.
  if (kind === 'signed-out' && session.get().user?.id === userId) endSession({ expired: true })
  return new ApiError(kind, answer?.message || (kind === 'status' ? `HTTP ${status}` : ''))
}

/** What any call may send; which of it a call takes, its own options say. */
interface Sent {
  path?: Record<string, string | number>
  query?: object | undefined
  header?: object | undefined
  body?: object | undefined
  signal?: AbortSignal | undefined
  timeoutMs?: number | undefined
}

interface Reply {
  response: Response
  /** Who asked. */
  userId: number | undefined
  /** The rest of the answer, which may still not come. */
  readText: () => Promise<string>
}

async function send(name: Name, { path, query, header, body, signal, timeoutMs = TIMEOUT_MS }: Sent): Promise<Reply> {
  const [method = 'GET', template = ''] = name.split(' ')
  const address = template.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(String(path?.[key])))
  const search = new URLSearchParams(given(query)).toString()
  const headers = new Headers([...given(header), ['Accept-Language', currentLanguage()]])
  const { user } = session.get()
  if (user) headers.set('Tollgate-User', String(user.id))
  if (body) headers.set('Content-Type', 'application/json')
  const timeout = AbortSignal.timeout(timeoutMs)
  const response = await arrival(
    fetch(search ? `${address}?${search}` : address, {
      method,
      headers,
      body: body ? JSON.stringify(body) : null,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    }),
  )
  return { response, userId: user?.id, readText: () => arrival(response.text()) }

  async function arrival<T>(awaited: Promise<T>): Promise<T> {
    try {
      return await awaited
    } catch (error) {
      signal?.throwIfAborted() // the page has gone, or asked anew: not a failure
      throw new ApiError(timeout.aborted ? 'slow' : 'unreachable', '', { cause: error })
    }
  }
}

/** The values that are there, as text. */
function given(values: object = {}): [string, string][] {
  return Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
}
