import { currentLanguage } from '../language.ts'
import { endSession, session } from '../session.ts'
import type {
  ApiCallOptions,
  Data,
  EnvelopeName,
  FullReply,
  Name,
  OptionsArgument,
  StreamName,
  StreamOptions,
  WholeName,
} from './calls.ts'
import { errorCodeOf, type NormalizedReply, readReply } from './reply.ts'

/** The reason why a call failed. `failure.ts` has a text for each kind. */
type FailureKind =
  | 'refused' // the server rejected the call with a message for the user
  | 'signed-out' // 401
  | 'no-server' // 405: a server other than the gateway serves the page
  | 'too-many' // 429
  | 'server' // 500
  | 'status' // any other HTTP status
  | 'unreadable' // the reply has none of the server's formats
  | 'unreachable' // no reply, or the reply broke off
  | 'slow' // no complete reply within the time limit

export class ApiError extends Error {
  override readonly name = 'ApiError'
  constructor(
    readonly kind: FailureKind,
    message = '',
    options?: ErrorOptions,
    /** The gateway's error code, which is the same in every language; empty if the reply has none. */
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
 * Calls the server: `call('PUT /api/token/', { body })`. Returns the `data` of the envelope `{success, message, data}`,
 * typed by the server's response schema. Throws an ApiError. If `signal` aborts the call, throws the signal's reason
 * instead. A 401 also ends the local session, so that the guard redirects to the login page.
 */
export async function call<N extends EnvelopeName>(name: N, ...[options]: OptionsArgument<N>): Promise<Data<N>> {
  const { whole } = await openReply(name, options)
  return whole.data as Data<N>
}

/** Like `call`, for calls with two successful outcomes. The message distinguishes them. One of them has no data. */
export async function callForMessage<N extends EnvelopeName>(
  name: N,
  ...[options]: OptionsArgument<N>
): Promise<{ message: string; data: Data<N> | undefined }> {
  const { message, whole } = await openReply(name, options)
  return { message, data: whole.data as Data<N> | undefined }
}

/** Like `call`, for replies with fields beside `data`. Returns the whole reply. */
export async function callWhole<N extends WholeName>(name: N, ...[options]: OptionsArgument<N>): Promise<FullReply<N>> {
  const { whole } = await openReply(name, options)
  return whole as FullReply<N>
}

/** Like `call`, for endpoints that browsers also open as pages. On success, the server redirects to the next page. */
export async function callForRedirect<N extends EnvelopeName>(
  name: N,
  ...[options]: OptionsArgument<N>
): Promise<void> {
  await openReply(name, options, { redirects: true })
}

/** Data and its ETag, for conditional requests. */
export interface TaggedData<T> {
  etag: string
  data: T
}

/** Like `call`, for replies with an ETag. Returns `known` if the data has not changed. */
export async function callIfChanged<N extends EnvelopeName>(
  name: N,
  { known, ...options }: ApiCallOptions<N> & { known: TaggedData<Data<N>> | undefined },
): Promise<TaggedData<Data<N>>> {
  const requestOptions: RequestOptions = options
  const sent = await send(name, { ...requestOptions, ...(known && { header: { 'If-None-Match': known.etag } }) })
  if (sent.response.status === 304 && known) return known
  const { whole } = await readSuccess(sent)
  return { etag: sent.response.headers.get('etag') ?? '', data: whole.data as Data<N> }
}

/** Returns a reply whose body can be streamed. Throws like `call`. The time limit applies to the whole reply. */
export async function openStream<N extends StreamName>(name: N, options: StreamOptions<N>): Promise<Response> {
  const { response, userId, readText } = await send(name, options)
  if (!response.ok) throw failureOf(response, readReply(await readText()), userId)
  return response
}

async function openReply(
  name: Name,
  options: RequestOptions = {},
  { redirects = false } = {},
): Promise<NormalizedReply> {
  const sent = await send(name, options)
  const { redirected, ok } = sent.response
  // For other calls, a redirect comes from a proxy, and the page after the redirect is not a reply of the gateway.
  return redirects && redirected && ok ? { success: true, message: '', whole: {} } : readSuccess(sent)
}

/** Reads a reply that reports success. Throws an ApiError for any other reply. */
async function readSuccess({ response, userId, readText }: Reply): Promise<NormalizedReply> {
  const reply = readReply(await readText())
  if (!response.ok) throw failureOf(response, reply, userId)
  if (!reply) throw new ApiError('unreadable')
  if (!reply.success) throw new ApiError('refused', reply.message, {}, errorCodeOf(response))
  return reply
}

function failureOf(response: Response, reply: NormalizedReply | undefined, userId: number | undefined): ApiError {
  const { status } = response
  const kind = KIND_OF_STATUS[status] ?? 'status'
  // The 401 is about the session that sent the request. Another user may have signed in since then.
  if (kind === 'signed-out' && session.get().user?.id === userId) endSession({ expired: true })
  return new ApiError(kind, reply?.message || (kind === 'status' ? `HTTP ${status}` : ''), {}, errorCodeOf(response))
}

/** The options of all calls. The type of a single call allows only some of these options. */
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
  /** Id of the user that was signed in when the request was sent. */
  userId: number | undefined
  /** Reads the body of the reply. Throws like the request, because the connection can still fail. */
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
  const response = await withApiError(
    fetch(search ? `${address}?${search}` : address, {
      method,
      headers,
      body: body ? JSON.stringify(body) : null,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    }),
  )
  return { response, userId: user?.id, readText: () => withApiError(response.text()) }

  async function withApiError<T>(promise: Promise<T>): Promise<T> {
    try {
      return await promise
    } catch (error) {
      signal?.throwIfAborted() // the page has canceled the request: not a failure
      throw new ApiError(timeout.aborted ? 'slow' : 'unreachable', '', { cause: error })
    }
  }
}

/** Returns the names and values of the defined properties, as text. */
const definedEntries = (values: object = {}): [string, string][] =>
  Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, String(value)])
