import { setTimeout as sleep } from 'node:timers/promises'
import { type ErrorKind, GatewayError, isErrorCode, type Params } from '../../core/errors.ts'
import type { Idempotency } from '../../core/idempotency.ts'
import { parseObject } from '../../core/input.ts'
import { isRecord } from '../../core/records.ts'
import { VERSION } from '../../core/version.ts'
import { type CommandError, ServerError } from '../errors.ts'
import type { Environment } from '../io.ts'
import type { Texts } from '../texts.ts'
import { createConnectionErrors, ReplyLost } from './connection-errors.ts'
import type { Guard } from './guards.ts'
import { fetchThrough, proxyFor } from './proxy.ts'
import { secondsToWait } from './rate-limit.ts'
import { relayErrorOf } from './relay-error.ts'
import { isOlder } from './version.ts'

const TIMEOUT_MS = 60_000
/** Maximum number of rate limit waits per call. */
const WAITS_MAX = 3
/** Delays before the retries of a read that failed with ReplyLost. */
const LOST_DELAYS_MS = [200, 600]
const API = '/api/'
/** Path that returns the version. All versions of the gateway support it. */
const STATUS = '/api/status'
const VERSION_HEADER = 'tollgate-version'
/** Timeout for reading the version. It is short, because the version only improves an error message. */
const VERSION_TIMEOUT_MS = 10_000
/** Maximum size of a reply. No API document is larger, so a server with larger replies is not a gateway. */
const REPLY_BYTES_MAX = 64 * 1024 * 1024

export interface Server {
  /** URL without a trailing slash. */
  url: string
  /** Access token or management key; absent for public calls. */
  token?: string | undefined
  /** Id of the token's user. */
  userId?: number | undefined
}

export interface CallOptions {
  /** Values for the `:names` of the path. */
  params?: Readonly<Record<string, string | number>>
  /** Query parameters. Undefined values are omitted. */
  query?: Readonly<Record<string, string | number | boolean | undefined>>
  body?: unknown
  headers?: Readonly<Record<string, string>>
  /** Idempotency key of a call that takes effect only once per key. */
  idempotency?: Idempotency | undefined
  /** Maximum time until the whole reply, or for `open` the response headers, have arrived; 60 seconds if absent. */
  timeoutMs?: number
  /** Aborts the call, which then throws the signal's reason. */
  signal?: AbortSignal | undefined
}

/** Envelope, document and headers of a reply. */
interface ServerReply {
  message: string
  data: unknown
  /** The whole JSON document, for replies without an envelope. */
  document: Record<string, unknown>
  headers: Headers
}

/**
 * Calls a gateway's REST API by documented paths, such as `/api/token/:id`. An older gateway may interpret calls
 * differently, so the client rejects replies of an older gateway and sends no writes to it.
 */
export interface Client {
  readonly server: Server
  /** Returns a client for the same server with another user id. */
  as(userId: number): Client
  /**
   * Returns `data` of the reply. Throws the server's GatewayError, ServerError for a code that this version does not
   * have, and CommandError SERVER_UNREACHABLE, SERVER_FOREIGN, SERVER_OLDER, SERVER_BUSY, SERVER_BROKEN or
   * NOT_SIGNED_IN.
   */
  call(method: Method, path: string, options?: CallOptions): Promise<unknown>
  /**
   * Returns `data` of the reply if `data` passes the guard. Otherwise throws SERVER_FOREIGN, or SERVER_OLDER if the
   * version differs.
   */
  read<T>(guard: Guard<T>, method: Method, path: string, options?: CallOptions): Promise<T>
  /** Returns a reply without an envelope if the reply passes the guard. Otherwise throws like `read`. */
  readWhole<T>(guard: Guard<T>, method: Method, path: string, options?: CallOptions): Promise<T>
  /** Returns the whole reply. Throws like `call`. */
  ask(method: Method, path: string, options?: CallOptions): Promise<ServerReply>
  /** Returns `data` if `data` passes the guard. Otherwise throws like `read`. The error names `call`. */
  checked<T>(guard: Guard<T>, data: unknown, call: string): Promise<T>
  /** Returns the response, for streams and files. Throws for error replies and for JSON documents. */
  open(method: Method, path: string, options?: CallOptions): Promise<Response>
  /** Converts an error while reading a response of `open` to a readable error. Returns readable errors unchanged. */
  explained(error: unknown): unknown
}
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

interface ClientParts {
  /** Language of error messages, also sent to the server. */
  texts: Texts
  /** Environment with the proxy variables. */
  env: Environment
  /** Headers to send with every call. */
  headers?: Readonly<Record<string, string>>
  /** The server's version, if known. */
  version?: string | undefined
  /** Waits after a rate limit. Returns false if the call must fail. Without it, rate limited calls fail at once. */
  waitForRetry?: ((seconds: number, signal?: AbortSignal) => Promise<boolean>) | undefined
  /** Returns the remaining milliseconds for all calls; undefined means no limit. */
  remainingMs?: (() => number | undefined) | undefined
}

export function createClient(
  server: Server,
  { texts, env, headers: ownHeaders = {}, version, waitForRetry, remainingMs = () => undefined }: ClientParts,
): Client {
  const proxy = proxyFor(server.url, env, texts)
  const connectionErrors = createConnectionErrors(server.url, texts, proxy)
  let fetchPromise: ReturnType<typeof fetchThrough> | undefined
  let serverVersion = version
  // The token is sent in a header, which can contain only these characters.
  if (server.token !== undefined && !/^[\x21-\x7e]+$/.test(server.token)) throw connectionErrors.malformedToken()

  const timeoutOf = ({ timeoutMs = TIMEOUT_MS }: CallOptions): number =>
    Math.ceil(Math.min(timeoutMs, remainingMs() ?? timeoutMs))

  async function send(
    method: Method,
    path: string,
    { params = {}, query = {}, body, headers = {}, idempotency }: CallOptions,
    signal: AbortSignal,
  ): Promise<Response> {
    const url = new URL(server.url + fillPath(path, params))
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value))
    }
    fetchPromise ??= fetchThrough(proxy)
    const fetch = await fetchPromise
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

  async function documentOf(
    response: Response,
    { method, path }: { method: Method; path: string },
  ): Promise<ServerReply> {
    const text = await textOf(response)
    if (text === undefined) throw connectionErrors.tooLarge(REPLY_BYTES_MAX)
    const document = parseObject(text)
    await checkVersion(response, { path, text })
    const replyError = replyErrorIn(response, { path, document })
    if (replyError) throw replyError
    if (document === undefined || !response.ok) throw await unexpectedReply(response, text, `${method} ${path}`)
    const { message = '', data } = document
    return { message: String(message), data, document, headers: response.headers }
  }

  /** Throws if the server is no gateway, or an older gateway. Does not check replies that may come from a proxy. */
  async function checkVersion(response: Response, { path, text }: { path: string; text: string }): Promise<void> {
    const { status, headers } = response
    serverVersion = headers.get(VERSION_HEADER) ?? serverVersion
    if (!path.startsWith(API) || path === STATUS || mayBeFromProxy(status)) return
    serverVersion ??= await askVersion()
    if (serverVersion === undefined) throw connectionErrors.foreignServer(status, text)
    if (isOlder(serverVersion)) throw connectionErrors.olderServer(serverVersion)
  }

  /** Throws before a write if the server is no gateway, or an older gateway that could ignore a part of the call. */
  async function checkBeforeWriting(method: Method, path: string, signal: AbortSignal): Promise<void> {
    if (method === 'GET' || !path.startsWith(API)) return
    if (serverVersion === undefined) {
      const { data } = await documentOf(await send('GET', STATUS, {}, signal), { method: 'GET', path: STATUS })
      serverVersion ??= versionIn(data)
    }
    if (serverVersion === undefined) throw connectionErrors.foreignServer(200, '{}')
    if (isOlder(serverVersion)) throw connectionErrors.olderServer(serverVersion)
  }

  /** Returns the error for a reply that does not belong to this API or version. */
  async function unexpectedReply(response: Response, text: string, call: string): Promise<CommandError> {
    const { status, headers, url } = response
    const document = parseObject(text)
    if (status >= 300 && status < 400) return connectionErrors.redirect(headers.get('location'), url)
    if (mayBeFromProxy(status)) return connectionErrors.ofStatus(response, document)
    serverVersion ??= await askVersion()
    if (serverVersion === undefined) return connectionErrors.foreignServer(status, text)
    return document === undefined || status === 404
      ? connectionErrors.unknownCall(serverVersion, call)
      : connectionErrors.ofStatus(response, document)
  }

  /** Returns the error of a reply, if any. For a known code in the error header, returns the GatewayError. */
  function replyErrorIn(
    response: Response,
    { path, document }: { path: string; document: Record<string, unknown> | undefined },
  ): Error | undefined {
    const headerError = headerErrorIn(response.headers.get('tollgate-error'))
    if (headerError) {
      const { code, kind, params } = headerError
      if (server.token !== undefined && INVALID_TOKEN_CODES.has(code)) return connectionErrors.invalidToken()
      if (isErrorCode(code)) return new GatewayError(code, params)
      return new ServerError(code, kind, String(document?.message ?? code))
    }
    const relayError = response.ok || path.startsWith(API) ? undefined : relayErrorOf(response.status, document)
    if (relayError) return relayError
    if (document?.success !== false || response.status === 429 || response.status >= 500) return undefined
    const kind = response.status === 401 ? 'unauthenticated' : response.status === 403 ? 'forbidden' : 'invalid'
    return new ServerError('REFUSED', kind, String(document.message ?? `HTTP ${response.status}`))
  }

  /** Reads the gateway's version; undefined if the server is not a gateway or does not reply. */
  async function askVersion(): Promise<string | undefined> {
    try {
      const response = await send('GET', STATUS, {}, AbortSignal.timeout(VERSION_TIMEOUT_MS))
      return response.headers.get(VERSION_HEADER) ?? versionIn(parseObject((await textOf(response)) ?? '')?.data)
    } catch {
      return undefined
    }
  }

  return {
    server,
    as: (userId) =>
      createClient(
        { ...server, userId },
        { texts, env, headers: ownHeaders, version: serverVersion, waitForRetry, remainingMs },
      ),
    explained: connectionErrors.explained,
    async ask(method, path, options = {}) {
      const { signal } = options
      let waits = 0
      let losses = 0
      for (;;) {
        try {
          const timeout = AbortSignal.timeout(timeoutOf(options))
          const anySignal = signal ? AbortSignal.any([signal, timeout]) : timeout
          await checkBeforeWriting(method, path, anySignal)
          return await documentOf(await send(method, path, options, anySignal), { method, path })
        } catch (error) {
          if (signal?.aborted) throw error
          const explained = connectionErrors.explained(error)
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
    async read(guard, method, path, options) {
      return this.checked(guard, await this.call(method, path, options), `${method} ${path}`)
    },
    async readWhole(guard, method, path, options) {
      return this.checked(guard, (await this.ask(method, path, options)).document, `${method} ${path}`)
    },
    async checked(guard, data, call) {
      if (guard(data)) return data
      serverVersion ??= await askVersion()
      throw connectionErrors.unexpectedReply(call, serverVersion)
    },
    async open(method, path, options = {}) {
      const headersTimeout = new AbortController()
      const timer = setTimeout(() => headersTimeout.abort(timedOut()), timeoutOf(options))
      const { signal } = options
      try {
        const anySignal = signal ? AbortSignal.any([signal, headersTimeout.signal]) : headersTimeout.signal
        await checkBeforeWriting(method, path, anySignal)
        const response = await send(method, path, options, anySignal)
        const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
        if (!response.ok || isJson) {
          await documentOf(response, { method, path })
          serverVersion ??= await askVersion()
          throw connectionErrors.unexpectedReply(`${method} ${path}`, serverVersion)
        }
        await checkVersion(response, { path, text: '' })
        return response
      } catch (error) {
        if (signal?.aborted) throw error
        throw connectionErrors.explained(error)
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

/** Error codes for an invalid access token. */
const INVALID_TOKEN_CODES: ReadonlySet<string> = new Set([
  'ACCESS_TOKEN_INVALID',
  'NOT_SIGNED_IN',
  'USER_HEADER_MISMATCH',
])

/** Status codes that a proxy or an overloaded gateway may send. */
const mayBeFromProxy = (status: number) => (status >= 300 && status < 400) || status === 429 || status >= 500

/** Returns the version in the status document; undefined for other documents. */
function versionIn(data: unknown): string | undefined {
  const { version } = (data ?? {}) as { version?: unknown }
  return typeof version === 'string' ? version : undefined
}

const timedOut = () => new DOMException('no answer in time', 'TimeoutError')

function fillPath(path: string, params: Readonly<Record<string, string | number>>): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name] ?? '')))
}

function headerErrorIn(header: string | null): { code: string; kind: ErrorKind; params?: Params } | undefined {
  if (header === null) return undefined
  try {
    const headerError = parseObject(decodeURIComponent(header))
    if (typeof headerError?.code !== 'string') return undefined
    const { code, kind, params } = headerError
    return { code, kind: kind as ErrorKind, ...(isRecord(params) && { params: params as Params }) }
  } catch {
    return undefined
  }
}

/** Returns the body as text; undefined if the body is too large. */
async function textOf(response: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > REPLY_BYTES_MAX) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
