import { currentLanguage } from '../language.ts'
import { endSession, session } from '../session.ts'

/** Why a call failed; `failure.ts` has the words for each. */
export type FailureKind =
  | 'refused' // the server said no, in words for the user
  | 'signed-out' // 401
  | 'no-server' // 405: a page without its server
  | 'too-many' // 429
  | 'server' // 500
  | 'status' // any other HTTP status
  | 'unreadable' // not the envelope
  | 'unreachable' // no answer at all

export class ApiError extends Error {
  override readonly name = 'ApiError'
  constructor(
    readonly kind: FailureKind,
    message = '',
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

export interface Call {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  query?: Record<string, string | number>
  body?: object
  signal?: AbortSignal
}

const TIMEOUT_MS = 30_000
const KIND_OF_STATUS: Record<number, FailureKind> = {
  401: 'signed-out',
  405: 'no-server',
  429: 'too-many',
  500: 'server',
}

/**
 * The console's only way to the server. Opens the `{success, message, data}` envelope and answers its data, which has
 * the type that the server's response schema promises. Throws an ApiError; a 401 also ends the local session, and with
 * it the guard leads to the login page.
 */
export async function call<T>(path: `/api/${string}`, options: Call = {}): Promise<T> {
  const response = await send(path, options)
  const answer = await readEnvelope(response)
  if (!response.ok) {
    const kind = KIND_OF_STATUS[response.status] ?? 'status'
    if (kind === 'signed-out') endSession({ expired: true })
    throw new ApiError(kind, answer?.message || (kind === 'status' ? `HTTP ${response.status}` : ''))
  }
  if (!answer) throw new ApiError('unreadable')
  if (!answer.success) throw new ApiError('refused', answer.message)
  return answer.data as T
}

async function send(path: string, { method = 'GET', query = {}, body, signal }: Call): Promise<Response> {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString()
  const headers = new Headers({ 'Accept-Language': currentLanguage() })
  const { user } = session.get()
  if (user) headers.set('Tollgate-User', String(user.id))
  if (body) headers.set('Content-Type', 'application/json')
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  try {
    return await fetch(search ? `${path}?${search}` : path, {
      method,
      headers,
      body: body ? JSON.stringify(body) : null,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    })
  } catch (error) {
    signal?.throwIfAborted() // the page has gone, or asked anew: not a failure
    throw new ApiError('unreachable', '', { cause: error })
  }
}

interface Envelope {
  success: boolean
  message: string
  data?: unknown
}

async function readEnvelope(response: Response): Promise<Envelope | undefined> {
  try {
    const answer: unknown = await response.json()
    if (typeof answer !== 'object' || answer === null) return undefined
    if (!('success' in answer) || typeof answer.success !== 'boolean') return undefined
    const message = 'message' in answer && typeof answer.message === 'string' ? answer.message : ''
    return { success: answer.success, message, data: 'data' in answer ? answer.data : undefined }
  } catch {
    return undefined // an empty body, as with 429, or the page of some proxy
  }
}
