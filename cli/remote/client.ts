import { setTimeout as sleep } from 'node:timers/promises'
import { type ErrorKind, GatewayError, isErrorCode, type Params } from '../../core/errors.ts'
import type { Idempotency } from '../../core/idempotency.ts'
import { VERSION } from '../../core/version.ts'
import { type CommandError, ServerRefusal } from '../errors.ts'
import type { Environment } from '../io.ts'
import type { Texts } from '../texts.ts'
import { createConnectionErrors, ReplyLost } from './connection-errors.ts'
import { type Guard, isRecord } from './guards.ts'
import { fetchThrough, proxyFor } from './proxy.ts'
import { secondsToWait } from './rate-limit.ts'
import { relayErrorOf } from './relay-error.ts'
import { isOlder } from './version.ts'

const TIMEOUT_MS = 60_000
/** Rate limit waits per call. */
const WAITS_MAX = 3
/** Before a read whose connection was cut, or that a proxy could not pass on, is repeated. */
const LOST_DELAYS_MS = [200, 600]
const API = '/api/'
/** Returns the version; compatible across all versions. */
const STATUS = '/api/status'
const VERSION_HEADER = 'tollgate-version'
/** Short, because the result only improves an error message. */
const VERSION_TIMEOUT_MS = 10_000
/** No API document is larger; a larger reply comes from another server. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024

export interface Server {
  /** Without a trailing slash. */
  url: string
  /** Access token or management key; absent for public calls. */
  token?: string | undefined
  /** Id of the token's user. */
  userId?: number | undefined
}

export interface CallOptions {
  /** Values for the `:names` of the path. */
  params?: Readonly<Record<string, string | number>>
  /** Omits undefined values. */
  query?: Readonly<Record<string, string | number | boolean | undefined>>
  body?: unknown
  headers?: Readonly<Record<string, string>>
  /** For calls that run once per key. */
  idempotency?: Idempotency | undefined
  /** Covers the whole reply; for `open`, until the response headers. */
  timeoutMs?: number
  /** Aborts the call, which then throws the signal's reason. */
  signal?: AbortSignal | undefined
}

/** Envelope, document and headers of a reply. */
export interface Answer {
  message: string
  data: unknown
  /** The whole JSON document, for replies without an envelope. */
  document: Record<string, unknown>
  headers: Headers
}

/**
 * Calls a gateway's REST API by documented paths, such as `/api/token/:id`. An older gateway may interpret calls differently, so
 * the client rejects its replies and sends it no writes.
 */
export interface Client {
  readonly server: Server
  /** The same server with another user id. */
  as(userId: number): Client
  /**
   * Returns `data`. Throws the server's GatewayError, ServerRefusal for a code that this version does not have, and CommandError
   * SERVER_UNREACHABLE, SERVER_FOREIGN, SERVER_OLDER, SERVER_BUSY, SERVER_BROKEN or NOT_SIGNED_IN.
   */
  call(method: Method, path: string, options?: CallOptions): Promise<unknown>
  /** Like `call`, checked by the guard. Other replies throw SERVER_FOREIGN, or SERVER_OLDER if the version differs. */
  read<T>(outline: Guard<T>, method: Method, path: string, options?: CallOptions): Promise<T>
  /** Like `read`, for documents without an envelope. */
  readWhole<T>(outline: Guard<T>, method: Method, path: string, options?: CallOptions): Promise<T>
  /** Like `call`, but returns the whole reply. */
  ask(method: Method, path: string, options?: CallOptions): Promise<Answer>
  /** Checks data from the response to a call such as `GET /api/log/export`; throws like `read`. */
  checked<T>(outline: Guard<T>, data: unknown, call: string): Promise<T>
  /** Returns the response for streams and files. Errors and JSON documents throw. */
  open(method: Method, path: string, options?: CallOptions): Promise<Response>
  /** Converts an error of reading such a response; returns readable errors unchanged. */
  explained(error: unknown): unknown
}
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export interface ClientParts {
  /** Language of error messages, also sent to the server. */
  texts: Texts
  /** Proxy variables. */
  env: Environment
  /** Sent with every call. */
  headers?: Readonly<Record<string, string>>
  /** The server's version, if known. */
  version?: string | undefined
  /** Waits when the rate limit rejects a call; false: the call fails. Absent: it fails at once. */
  waitForRetry?: ((seconds: number, signal?: AbortSignal) => Promise<boolean>) | undefined
  /** Milliseconds left for all calls; undefined: no limit. */
  remainingMs?: (() => number | undefined) | undefined
}

export function createClient(
  server: Server,
  { texts, env, headers: ownHeaders = {}, version, waitForRetry, remainingMs = () => undefined }: ClientParts,
): Client {
  const proxy = proxyFor(server.url, env, texts)
  const complaints = createConnectionErrors(server.url, texts, proxy)
  let fetching: ReturnType<typeof fetchThrough> | undefined
  let versionThere = version
  // A header allows no other characters.
  if (server.token !== undefined && !/^[\x21-\x7e]+$/.test(server.token)) throw complaints.oddToken()

  const timeoutOf = ({ timeoutMs = TIMEOUT_MS }: CallOptions): number =>
    Math.ceil(Math.min(timeoutMs, remainingMs() ?? timeoutMs))

  async function send(
    method: Method,
    path: string,
    { params = {}, query = {}, body, headers = {}, idempotency }: CallOptions,
    signal: AbortSignal,
  ): Promise<Response> {
    const url = new URL(server.url + filled(path, params))
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value))
    }
    fetching ??= fetchThrough(proxy)
    const fetch = await fetching
    return await fetch(url, {
      method,
      redirect: 'manual',
      signal,
      headers: {
        accept: 'application/json',
        'accept-language': texts.language,
        'user-agent': `tollgate/${VERSION}`,
        ...(server.token !== undefined && { authorization: `Bearer ${server.token}` }),
        ...(server.userId !== undefined && { 'tollgate-user': String(server.userId) }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(idempotency && { 'idempotency-key': idempotency.idempotencyKey }),
        ...ownHeaders,
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  }

  async function documentOf(response: Response, { method, path }: { method: Method; path: string }): Promise<Answer> {
    const text = await textOf(response)
    if (text === undefined) throw complaints.tooMuch(ANSWER_BYTES_MAX)
    const document = parsed(text)
    await checkVersion(response, { path, text })
    const refusal = refusalIn(response, { path, document })
    if (refusal) throw refusal
    if (document === undefined || !response.ok) throw await strange(response, text, `${method} ${path}`)
    const { message = '', data } = document
    return { message: String(message), data, document, headers: response.headers }
  }

  /** Throws if the server is not a gateway or is older. Skips replies that may come from a proxy, which sends no version. */
  async function checkVersion(response: Response, { path, text }: { path: string; text: string }): Promise<void> {
    const { status, headers } = response
    versionThere = headers.get(VERSION_HEADER) ?? versionThere
    if (!path.startsWith(API) || path === STATUS || isOnTheWay(status)) return
    versionThere ??= await askVersion()
    if (versionThere === undefined) throw complaints.foreign(status, text)
    if (isOlder(versionThere)) throw complaints.older(versionThere)
  }

  /** An older gateway would execute a part of the call and report success. Throws like a call to it. */
  async function checkBeforeWriting(method: Method, path: string, signal: AbortSignal): Promise<void> {
    if (method === 'GET' || !path.startsWith(API)) return
    if (versionThere === undefined) {
      const { data } = await documentOf(await send('GET', STATUS, {}, signal), { method: 'GET', path: STATUS })
      versionThere ??= versionIn(data)
    }
    if (versionThere === undefined) throw complaints.foreign(200, '{}')
    if (isOlder(versionThere)) throw complaints.older(versionThere)
  }

  /** Error for replies outside of this API or version. */
  async function strange(response: Response, text: string, call: string): Promise<CommandError> {
    const { status, headers, url } = response
    const document = parsed(text)
    if (status >= 300 && status < 400) return complaints.redirected(headers.get('location'), url)
    if (isOnTheWay(status)) return complaints.ofStatus(response, document)
    versionThere ??= await askVersion()
    if (versionThere === undefined) return complaints.foreign(status, text)
    return document === undefined || status === 404
      ? complaints.unknownCall(versionThere, call)
      : complaints.ofStatus(response, document)
  }

  /** Converts the error in the header to the same GatewayError as in a local call. */
  function refusalIn(
    response: Response,
    { path, document }: { path: string; document: Record<string, unknown> | undefined },
  ): Error | undefined {
    const named = namedIn(response.headers.get('tollgate-error'))
    if (named) {
      const { code, kind, params } = named
      if (server.token !== undefined && VOID_TOKEN.has(code)) return complaints.voidToken()
      if (isErrorCode(code)) return new GatewayError(code, params)
      return new ServerRefusal(code, kind, String(document?.message ?? code))
    }
    const relayed = response.ok || path.startsWith(API) ? undefined : relayErrorOf(response.status, document)
    if (relayed) return relayed
    if (document?.success !== false || response.status === 429 || response.status >= 500) return undefined
    const kind = response.status === 401 ? 'unauthenticated' : response.status === 403 ? 'forbidden' : 'invalid'
    return new ServerRefusal('REFUSED', kind, String(document.message ?? `HTTP ${response.status}`))
  }

  /** The gateway's version; undefined if there is no gateway. */
  async function askVersion(): Promise<string | undefined> {
    try {
      const response = await send('GET', STATUS, {}, AbortSignal.timeout(VERSION_TIMEOUT_MS))
      return response.headers.get(VERSION_HEADER) ?? versionIn(parsed((await textOf(response)) ?? '')?.data)
    } catch {
      return undefined
    }
  }

  return {
    server,
    as: (userId) =>
      createClient(
        { ...server, userId },
        { texts, env, headers: ownHeaders, version: versionThere, waitForRetry, remainingMs },
      ),
    explained: complaints.explained,
    async ask(method, path, options = {}) {
      const { signal } = options
      let waits = 0
      let losses = 0
      for (;;) {
        try {
          const limit = AbortSignal.timeout(timeoutOf(options))
          const either = signal ? AbortSignal.any([signal, limit]) : limit
          await checkBeforeWriting(method, path, either)
          return await documentOf(await send(method, path, options, either), { method, path })
        } catch (error) {
          if (signal?.aborted) throw error
          const explained = complaints.explained(error)
          const seconds = waits < WAITS_MAX ? secondsToWait(error) : undefined
          const delayMs = LOST_DELAYS_MS[losses]
          if (seconds !== undefined && (await waitForRetry?.(seconds, signal)) === true) waits += 1
          else if (method === 'GET' && delayMs !== undefined && explained instanceof ReplyLost && remainingMs() !== 0) {
            losses += 1
            await sleep(delayMs, undefined, { signal })
          } else throw explained
        }
      }
    },
    async call(method, path, options) {
      return (await this.ask(method, path, options)).data
    },
    async read(outline, method, path, options) {
      return this.checked(outline, await this.call(method, path, options), `${method} ${path}`)
    },
    async readWhole(outline, method, path, options) {
      return this.checked(outline, (await this.ask(method, path, options)).document, `${method} ${path}`)
    },
    async checked(outline, data, call) {
      if (outline(data)) return data
      versionThere ??= await askVersion()
      throw complaints.odd(call, versionThere)
    },
    async open(method, path, options = {}) {
      const slow = new AbortController()
      const timer = setTimeout(() => slow.abort(timedOut()), timeoutOf(options))
      const { signal } = options
      try {
        const either = signal ? AbortSignal.any([signal, slow.signal]) : slow.signal
        await checkBeforeWriting(method, path, either)
        const response = await send(method, path, options, either)
        const json = response.headers.get('content-type')?.startsWith('application/json') ?? false
        if (!response.ok || json) {
          await documentOf(response, { method, path })
          versionThere ??= await askVersion()
          throw complaints.odd(`${method} ${path}`, versionThere)
        }
        await checkVersion(response, { path, text: '' })
        return response
      } catch (error) {
        if (signal?.aborted) throw error
        throw complaints.explained(error)
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

/** Error codes for an invalid access token. */
const VOID_TOKEN: ReadonlySet<string> = new Set(['ACCESS_TOKEN_INVALID', 'NOT_SIGNED_IN', 'USER_HEADER_MISMATCH'])

/** Status codes that a proxy or an overloaded gateway may send. */
const isOnTheWay = (status: number) => (status >= 300 && status < 400) || status === 429 || status >= 500

/** Version in the status document; undefined for other servers. */
function versionIn(data: unknown): string | undefined {
  const { version } = (data ?? {}) as { version?: unknown }
  return typeof version === 'string' ? version : undefined
}

const timedOut = () => new DOMException('no answer in time', 'TimeoutError')

function filled(path: string, params: Readonly<Record<string, string | number>>): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name] ?? '')))
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const document: unknown = JSON.parse(text)
    return isRecord(document) ? document : undefined
  } catch {
    return undefined
  }
}

function namedIn(header: string | null): { code: string; kind: ErrorKind; params?: Params } | undefined {
  if (header === null) return undefined
  try {
    const named = parsed(decodeURIComponent(header))
    if (typeof named?.code !== 'string') return undefined
    const { code, kind, params } = named
    return { code, kind: kind as ErrorKind, ...(isRecord(params) && { params: params as Params }) }
  } catch {
    return undefined
  }
}

/** Reads the body; returns undefined if it is too large. */
async function textOf(response: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > ANSWER_BYTES_MAX) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
