import { currentLanguage } from '../language.ts'
import { endSession, session } from '../session.ts'
import type {
  Data,
  EnvelopeName,
  FullReply,
  Name,
  Options,
  OptionsArgument,
  StreamName,
  StreamOptions,
  WholeName,
} from './calls.ts'
import { type Opened, readReply, refusalCode } from './reply.ts'

/** Why a call failed; `failure.ts` has the text for each kind. */
type FailureKind =
  | 'refused' // the server rejected the call with a message for the user
  | 'signed-out' // 401
  | 'no-server' // 405: a page without its server
  | 'too-many' // 429
  | 'server' // 500
  | 'status' // any other HTTP status
  | 'unreadable' // not an envelope
  | 'unreachable' // no reply at all
  | 'slow' // no reply within the time limit

export class ApiError extends Error {
  override readonly name = 'ApiError'
  constructor(
    readonly kind: FailureKind,
    message = '',
    options?: ErrorOptions,
    /** The error code of a rejected call, the same in every language. */
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
 * Sends all requests of the console to the server: `call('PUT /api/token/', { body })`. Returns the data of the envelope
 * `{success, message, data}`, typed by the server's response schema. Throws an ApiError; a 401 also ends the local session,
 * so that the guard redirects to the login page.
 */
export async function call<N extends EnvelopeName>(name: N, ...[options]: OptionsArgument<N>): Promise<Data<N>> {
  const { whole } = await open(name, options)
  return whole.data as Data<N>
}

/** Like `call`, for replies whose message tells two outcomes apart; one outcome has no data. */
export async function callForMessage<N extends EnvelopeName>(
  name: N,
  ...[options]: OptionsArgument<N>
): Promise<{ message: string; data: Data<N> | undefined }> {
  const { message, whole } = await open(name, options)
  return { message, data: whole.data as Data<N> | undefined }
}

/** Like `call`, for replies with fields beside their data. */
export async function callWhole<N extends WholeName>(name: N, ...[options]: OptionsArgument<N>): Promise<FullReply<N>> {
  const { whole } = await open(name, options)
  return whole as FullReply<N>
}

/** Like `call`, for calls made for browser navigation: on success they redirect to the next page. */
export async function callForRedirect<N extends EnvelopeName>(
  name: N,
  ...[options]: OptionsArgument<N>
): Promise<void> {
  await open(name, options, { redirects: true })
}

/** Data with its ETag, for conditional requests. */
export interface Named<T> {
  etag: string
  data: T
}

/** Like `call`, for replies with an ETag. Returns `known` itself if the data has not changed: then the server sends none. */
export async function callUnlessSame<N extends EnvelopeName>(
  name: N,
  { known, ...options }: Options<N> & { known: Named<Data<N>> | undefined },
): Promise<Named<Data<N>>> {
  const requestOptions: RequestOptions = options
  const { response, userId, readText } = await send(name, {
    ...requestOptions,
    ...(known && { header: { 'If-None-Match': known.etag } }),
  })
  if (response.status === 304 && known) return known
  const reply = readReply(await readText())
  if (!response.ok) throw failureOf(response, reply, userId)
  if (!reply) throw new ApiError('unreadable')
  if (!reply.success) throw new ApiError('refused', reply.message, {}, refusalCode(response))
  return { etag: response.headers.get('etag') ?? '', data: reply.whole.data as Data<N> }
}

/** Opens a reply for streaming. Fails like `call`; the time limit covers the whole reply. */
export async function openStream<N extends StreamName>(name: N, options: StreamOptions<N>): Promise<Response> {
  const { response, userId, readText } = await send(name, options)
  if (!response.ok) throw failureOf(response, readReply(await readText()), userId)
  return response
}

async function open(name: Name, options: RequestOptions = {}, { redirects = false } = {}): Promise<Opened> {
  const { response, userId, readText } = await send(name, options)
  // For other calls, a redirect comes from a proxy, whose page is not a reply.
  if (redirects && response.redirected && response.ok) return { success: true, message: '', whole: {} }
  const reply = readReply(await readText())
  if (!response.ok) throw failureOf(response, reply, userId)
  if (!reply) throw new ApiError('unreadable')
  if (!reply.success) throw new ApiError('refused', reply.message, {}, refusalCode(response))
  return reply
}

function failureOf({ status }: Response, reply: Opened | undefined, userId: number | undefined): ApiError {
  const kind = KIND_OF_STATUS[status] ?? 'status'
  // A late 401 concerns the session that sent the request, not a later session.
  if (kind === 'signed-out' && session.get().user?.id === userId) endSession({ expired: true })
  return new ApiError(kind, reply?.message || (kind === 'status' ? `HTTP ${status}` : ''))
}

/** All that calls can send; the options of each call restrict it. */
interface RequestOptions {
  path?: Record<string, string | number>
  query?: object | undefined
  header?: object | undefined
  body?: object | undefined
  signal?: AbortSignal | undefined
  timeoutMs?: number | undefined
}

interface Reply {
  response: Response
  /** The user that was signed in when the request was sent. */
  userId: number | undefined
  /** Reads the rest of the reply, which may still fail. */
  readText: () => Promise<string>
}

async function send(
  name: Name,
  { path, query, header, body, signal, timeoutMs = TIMEOUT_MS }: RequestOptions,
): Promise<Reply> {
  const [method = 'GET', template = ''] = name.split(' ')
  const address = template.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(String(path?.[key])))
  const search = new URLSearchParams(definedEntries(query)).toString()
  const headers = new Headers([...definedEntries(header), ['Accept-Language', currentLanguage()]])
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
      signal?.throwIfAborted() // the page has closed or repeated the request: not a failure
      throw new ApiError(timeout.aborted ? 'slow' : 'unreachable', '', { cause: error })
    }
  }
}

/** The defined values, as text. */
function definedEntries(values: object = {}): [string, string][] {
  return Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
}
