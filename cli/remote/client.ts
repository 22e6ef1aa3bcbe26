import { setTimeout as sleep } from 'node:timers/promises'
import type { Data, DataName, Inputs, Name, OptionalArgument } from '../../core/api/calls.ts'
import { type ErrorKind, GatewayError, isErrorCode, type Params } from '../../core/errors.ts'
import type { Idempotency } from '../../core/idempotency.ts'
import { parseObject } from '../../core/input.ts'
import { isRecord, recordOf } from '../../core/records.ts'
import { VERSION } from '../../core/version.ts'
import { type CommandError, ServerError } from '../errors.ts'
import type { Environment } from '../io.ts'
import type { Texts } from '../texts.ts'
import { createConnectionErrors, ReplyLost } from './connection-errors.ts'
import { dataOf, type Guard } from './guards.ts'
import { fetchThrough, proxyFor } from './proxy.ts'
import { secondsToWait } from './rate-limit.ts'
import { relayErrorOf } from './relay-error.ts'
import { isOlder } from './version.ts'

const TIMEOUT_MS = 60_000
/** Maximum number of rate limit waits per call. */
const WAITS_MAX = 3
/** Delays before the retries of a read that failed with ReplyLost. */
const LOST_DELAYS_MS = [200, 600]
/** Call that returns the version. All versions of the gateway support it. */
const STATUS = 'GET /api/status'
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

interface CommonOptions {
  headers?: Readonly<Record<string, string>>
  /** Idempotency key of a call that takes effect only once per key. */
  idempotency?: Idempotency | undefined
  /** Maximum time until the whole reply, or for `open` the response headers, have arrived; 60 seconds if absent. */
  timeoutMs?: number
  /** Aborts the call, which then throws the signal's reason. */
  signal?: AbortSignal | undefined
}

/** Options of any call. */
export interface CallOptions extends CommonOptions {
  /** Values for the `:names` of the path. */
  path?: Readonly<Record<string, string | number>>
  /** Query parameters. Undefined values are omitted. */
  query?: object
  body?: unknown
}

/** Options of a documented call. */
type DocumentedOptions<N extends Name> = Inputs<N, 'path' | 'query' | 'body'> & CommonOptions

/** Method and path of a call: `GET /api/team/:id`. */
export type CallName = `${Method} /${string}`
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Envelope, document and headers of a reply. */
interface ServerReply {
  message: string
  data: unknown
  /** The whole JSON document, for replies without an envelope. */
  document: Record<string, unknown>
  headers: Headers
}

/**
 * Calls a gateway's REST API. An older gateway may interpret calls differently, so the client rejects replies of an older
 * gateway and sends no writes to it.
 */
export interface Client {
  readonly server: Server
  /** Returns a client for the same server with another user id. */
  as(userId: number): Client
  /**
   * Makes a documented call whose reply is not needed. Throws the server's GatewayError, ServerError for a code that
   * this version does not have, and CommandError SERVER_UNREACHABLE, SERVER_FOREIGN, SERVER_OLDER, SERVER_BUSY,
   * SERVER_BROKEN or NOT_SIGNED_IN.
   */
  call<N extends Name>(name: N, ...options: OptionalArgument<DocumentedOptions<N>>): Promise<void>
  /**
   * Returns `data` of the reply to a documented call. Throws like `call`, and for data that does not match the API's
   * description SERVER_FOREIGN, or SERVER_OLDER if the version differs.
   */
  read<N extends DataName>(name: N, ...options: OptionalArgument<DocumentedOptions<N>>): Promise<Data<N>>
  /** Returns a reply without an envelope if the reply passes the guard. Otherwise throws like `read`. */
  readWhole<T>(guard: Guard<T>, name: CallName, options?: CallOptions): Promise<T>
  /** Returns the whole reply. Throws like `call`. */
  ask(name: CallName, options?: CallOptions): Promise<ServerReply>
  /** Returns `data` if `data` passes the guard. Otherwise throws like `read`. The error names the call. */
  checked<T>(guard: Guard<T>, data: unknown, name: CallName): Promise<T>
  /** Returns the response, for streams and files. Throws for error replies and for JSON documents. */
  open(name: CallName, options?: CallOptions): Promise<Response>
  /** Converts an error while reading a response of `open` to a readable error. Returns readable errors unchanged. */
  explained(error: unknown): unknown
}

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
    name: CallName,
    { path = {}, query = {}, body, headers = {}, idempotency }: CallOptions,
    signal: AbortSignal,
  ): Promise<Response> {
    const [method = '', template = ''] = name.split(' ')
    const url = new URL(server.url + fillPath(template, path))
    for (const [field, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(field, String(value))
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

  async function documentOf(response: Response, name: CallName): Promise<ServerReply> {
    const text = await textOf(response)
    if (text === undefined) throw connectionErrors.tooLarge(REPLY_BYTES_MAX)
    const document = parseObject(text)
    await checkVersion(response, { name, text })
    const replyError = replyErrorIn(response, { name, document })
    if (replyError) throw replyError
    if (document === undefined || !response.ok) throw await unexpectedReply(response, text, name)
    const { message = '', data } = document
    return { message: String(message), data, document, headers: response.headers }
  }

  /** Throws if the server is no gateway, or an older gateway. Does not check replies that may come from a proxy. */
  async function checkVersion(response: Response, { name, text }: { name: CallName; text: string }): Promise<void> {
    const { status, headers } = response
    serverVersion = headers.get(VERSION_HEADER) ?? serverVersion
    if (!isApi(name) || name === STATUS || mayBeFromProxy(status)) return
    serverVersion ??= await askVersion()
    if (serverVersion === undefined) throw connectionErrors.foreignServer(status, text)
    if (isOlder(serverVersion)) throw connectionErrors.olderServer(serverVersion)
  }

  /** Throws before a write if the server is no gateway, or an older gateway that could ignore a part of the call. */
  async function checkBeforeWriting(name: CallName, signal: AbortSignal): Promise<void> {
    if (isReading(name) || !isApi(name)) return
    if (serverVersion === undefined) {
      const { data } = await documentOf(await send(STATUS, {}, signal), STATUS)
      serverVersion ??= versionIn(data)
    }
    if (serverVersion === undefined) throw connectionErrors.foreignServer(200, '{}')
    if (isOlder(serverVersion)) throw connectionErrors.olderServer(serverVersion)
  }

  /** Returns the error for a reply that does not belong to this API or version. */
  async function unexpectedReply(response: Response, text: string, name: CallName): Promise<CommandError> {
    const { status, headers, url } = response
    const document = parseObject(text)
    if (status >= 300 && status < 400) return connectionErrors.redirect(headers.get('location'), url)
    if (mayBeFromProxy(status)) return connectionErrors.ofStatus(response, document)
    serverVersion ??= await askVersion()
    if (serverVersion === undefined) return connectionErrors.foreignServer(status, text)
    return document === undefined || status === 404
      ? connectionErrors.unknownCall(serverVersion, name)
      : connectionErrors.ofStatus(response, document)
  }

  /** Returns the error of a reply, if any. For a known code in the error header, returns the GatewayError. */
  function replyErrorIn(
    response: Response,
    { name, document }: { name: CallName; document: Record<string, unknown> | undefined },
  ): Error | undefined {
    const headerError = headerErrorIn(response.headers.get('tollgate-error'))
    if (headerError) {
      const { code, kind, params } = headerError
      if (server.token !== undefined && INVALID_TOKEN_CODES.has(code)) return connectionErrors.invalidToken()
      if (isErrorCode(code)) return new GatewayError(code, params)
      return new ServerError(code, kind, String(document?.message ?? code))
    }
    const relayError = response.ok || isApi(name) ? undefined : relayErrorOf(response.status, document)
    if (relayError) return relayError
    if (document?.success !== false || response.status === 429 || response.status >= 500) return undefined
    const kind = response.status === 401 ? 'unauthenticated' : response.status === 403 ? 'forbidden' : 'invalid'
    return new ServerError('REFUSED', kind, String(document.message ?? `HTTP ${response.status}`))
  }

  /** Reads the gateway's version; undefined if the server is not a gateway or does not reply. */
  async function askVersion(): Promise<string | undefined> {
    try {
      const response = await send(STATUS, {}, AbortSignal.timeout(VERSION_TIMEOUT_MS))
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
    async ask(name, options = {}) {
      const { signal } = options
      let waits = 0
      let losses = 0
      for (;;) {
        try {
          const timeout = AbortSignal.timeout(timeoutOf(options))
          const anySignal = signal ? AbortSignal.any([signal, timeout]) : timeout
          await checkBeforeWriting(name, anySignal)
          return await documentOf(await send(name, options, anySignal), name)
        } catch (error) {
          if (signal?.aborted) throw error
          const explained = connectionErrors.explained(error)
          const seconds = waits < WAITS_MAX ? secondsToWait(error) : undefined
          const delayMs = LOST_DELAYS_MS[losses]
          if (seconds !== undefined && (await waitForRetry?.(seconds, signal)) === true) waits += 1
          else if (isReading(name) && delayMs !== undefined && explained instanceof ReplyLost && remainingMs() !== 0) {
            losses += 1
            await sleep(delayMs, undefined, { signal })
          } else throw explained
        }
      }
    },
    async call(name, ...[options]) {
      await this.ask(name, options)
    },
    async read(name, ...[options]) {
      return this.checked(dataOf(name), (await this.ask(name, options)).data, name)
    },
    async readWhole(guard, name, options) {
      return this.checked(guard, (await this.ask(name, options)).document, name)
    },
    async checked(guard, data, name) {
      if (guard(data)) return data
      serverVersion ??= await askVersion()
      throw connectionErrors.unexpectedReply(name, serverVersion)
    },
    async open(name, options = {}) {
      const headersTimeout = new AbortController()
      const timer = setTimeout(() => headersTimeout.abort(timedOut()), timeoutOf(options))
      const { signal } = options
      try {
        const anySignal = signal ? AbortSignal.any([signal, headersTimeout.signal]) : headersTimeout.signal
        await checkBeforeWriting(name, anySignal)
        const response = await send(name, options, anySignal)
        const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
        if (!response.ok || isJson) {
          await documentOf(response, name)
          serverVersion ??= await askVersion()
          throw connectionErrors.unexpectedReply(name, serverVersion)
        }
        await checkVersion(response, { name, text: '' })
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

const isApi = (name: CallName) => name.includes(' /api/')
const isReading = (name: CallName) => name.startsWith('GET ')

/** Status codes that a proxy or an overloaded gateway may send. */
const mayBeFromProxy = (status: number) => (status >= 300 && status < 400) || status === 429 || status >= 500

/** Returns the version in the status document; undefined for other documents. */
function versionIn(data: unknown): string | undefined {
  const { version } = recordOf(data)
  return typeof version === 'string' ? version : undefined
}

const timedOut = () => new DOMException('no answer in time', 'TimeoutError')

function fillPath(template: string, path: Readonly<Record<string, string | number>>): string {
  return template.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(path[name] ?? '')))
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
