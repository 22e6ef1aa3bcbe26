import { type ErrorKind, GatewayError, isErrorCode, type Params } from '../../core/errors.ts'
import type { Idempotency } from '../../core/idempotency.ts'
import { VERSION } from '../../core/version.ts'
import { type CommandError, ServerRefusal } from '../errors.ts'
import type { Environment } from '../surroundings.ts'
import type { Texts } from '../texts.ts'
import { createComplaints } from './complaints.ts'
import { isRecord, type Outline } from './outline.ts'
import { fetchThrough, proxyFor } from './proxy.ts'
import { relayRefusal } from './relay-refusal.ts'
import { isOlder } from './version.ts'

const TIMEOUT_MS = 60_000
/** How often one call waits for its turn. */
const WAITS_MAX = 3
const API = '/api/'
/** Tells the version, and is the same in every one. */
const STATUS = '/api/status'
const VERSION_HEADER = 'tollgate-version'
/** Something has been answered already; this is only to say better what is wrong. */
const VERSION_TIMEOUT_MS = 10_000
/** No document of the API is longer: whoever sends more is somebody else. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024

export interface Server {
  /** Without a slash at its end. */
  url: string
  /** A management credential of the user; absent for what anybody may ask. */
  token?: string | undefined
  /** Whose it is. */
  userId?: number | undefined
}

export interface CallOptions {
  /** Fill the `:names` of the path. */
  params?: Readonly<Record<string, string | number>>
  /** What is undefined is left out. */
  query?: Readonly<Record<string, string | number | boolean | undefined>>
  body?: unknown
  headers?: Readonly<Record<string, string>>
  /** Of calls that do something only once under a key. */
  idempotency?: Idempotency | undefined
  /** For the whole answer; for `open` until it begins. */
  timeoutMs?: number
  /** Ends the call; what it throws then is the reason that was given. */
  signal?: AbortSignal | undefined
}

/** The envelope of an answer, and what stood above it. */
export interface Answer {
  message: string
  data: unknown
  /** The whole document, for the few that are no envelope. */
  document: Record<string, unknown>
  headers: Headers
}

/**
 * Calls the REST API of a gateway by the paths of its document, such as `/api/token/:id`. An older gateway may read a call
 * otherwise than it is meant: its answers count for nothing, and it gets no call that writes.
 */
export interface Client {
  readonly server: Server
  /** The same as that user of the server. */
  as(userId: number): Client
  /**
   * Answers `data`. Throws the GatewayError that the server named, ServerRefusal for one that this version does not know, and
   * CommandError SERVER_UNREACHABLE, SERVER_FOREIGN, SERVER_OLDER, SERVER_BUSY, SERVER_BROKEN or NOT_SIGNED_IN.
   */
  call(method: Method, path: string, options?: CallOptions): Promise<unknown>
  /** The same, of this outline. Whoever answers with something else is SERVER_FOREIGN, or another version: SERVER_OLDER. */
  read<T>(outline: Outline<T>, method: Method, path: string, options?: CallOptions): Promise<T>
  /** The same of the document, for those that are no envelope. */
  readWhole<T>(outline: Outline<T>, method: Method, path: string, options?: CallOptions): Promise<T>
  /** The same as `call`, with all of the answer. */
  ask(method: Method, path: string, options?: CallOptions): Promise<Answer>
  /** What was read of a response to a call such as `GET /api/log/export`, if it is of this outline; throws as `read` does. */
  checked<T>(outline: Outline<T>, data: unknown, call: string): Promise<T>
  /** The response itself, once it is known to be no refusal and no document: for streams and files. */
  open(method: Method, path: string, options?: CallOptions): Promise<Response>
  /** What went wrong with the body of such a response, for people; what they can read stays as it is. */
  explained(error: unknown): unknown
}
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export interface ClientParts {
  /** What goes wrong is said in its language, and the server is asked for it. */
  texts: Texts
  /** Names proxies. */
  env: Environment
  /** Sent with every call. */
  headers?: Readonly<Record<string, string>>
  /** What the server is known to run. */
  version?: string | undefined
  /** Waits when the server counts too many calls; false: the call fails. Absent: it fails at once. */
  waitTurn?: ((seconds: number, signal?: AbortSignal) => Promise<boolean>) | undefined
  /** Milliseconds that calls may still take in all; undefined: no limit. */
  remainingMs?: (() => number | undefined) | undefined
}

export function createClient(
  server: Server,
  { texts, env, headers: own = {}, version, waitTurn, remainingMs = () => undefined }: ClientParts,
): Client {
  const proxy = proxyFor(server.url, env, texts)
  const complaints = createComplaints(server.url, texts, proxy)
  let fetching: ReturnType<typeof fetchThrough> | undefined
  let versionThere = version
  // Nothing else fits into a header.
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
        ...own,
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

  /** Throws for an answer of an older gateway, or of none. What stands in the way of a gateway has no version, and says enough. */
  async function checkVersion(response: Response, { path, text }: { path: string; text: string }): Promise<void> {
    const { status, headers } = response
    versionThere = headers.get(VERSION_HEADER) ?? versionThere
    if (!path.startsWith(API) || path === STATUS || isOnTheWay(status)) return
    versionThere ??= await askVersion()
    if (versionThere === undefined) throw complaints.foreign(status, text)
    if (isOlder(versionThere)) throw complaints.older(versionThere)
  }

  /** An older gateway would do a part of what it is told and say that all is done. Throws what an answer of it would. */
  async function checkBeforeWriting(method: Method, path: string, signal: AbortSignal): Promise<void> {
    if (method === 'GET' || !path.startsWith(API)) return
    if (versionThere === undefined) {
      const { data } = await documentOf(await send('GET', STATUS, {}, signal), { method: 'GET', path: STATUS })
      versionThere ??= versionIn(data)
    }
    if (versionThere === undefined) throw complaints.foreign(200, '{}')
    if (isOlder(versionThere)) throw complaints.older(versionThere)
  }

  /** Why somebody answers who does not speak this API, or not this part of it. */
  async function strange({ status, headers, url }: Response, text: string, call: string): Promise<CommandError> {
    const document = parsed(text)
    if (status >= 300 && status < 400) return complaints.redirected(headers.get('location'), url)
    if (isOnTheWay(status)) return complaints.ofStatus(status, document)
    versionThere ??= await askVersion()
    if (versionThere === undefined) return complaints.foreign(status, text)
    return document === undefined || status === 404
      ? complaints.unknownCall(versionThere, call)
      : complaints.ofStatus(status, document)
  }

  /** What the server refused: by the code in the header, so that it reads as if it had happened here. */
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
    const relayed = response.ok || path.startsWith(API) ? undefined : relayRefusal(response.status, document)
    if (relayed) return relayed
    if (document?.success !== false || response.status === 429 || response.status >= 500) return undefined
    const kind = response.status === 401 ? 'unauthenticated' : response.status === 403 ? 'forbidden' : 'invalid'
    return new ServerRefusal('REFUSED', kind, String(document.message ?? `HTTP ${response.status}`))
  }

  /** The version of the gateway there; undefined when it is none. */
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
      createClient({ ...server, userId }, { texts, env, headers: own, version: versionThere, waitTurn, remainingMs }),
    explained: complaints.explained,
    async ask(method, path, options = {}) {
      const { signal } = options
      for (let waits = 0; ; waits++) {
        try {
          const limit = AbortSignal.timeout(timeoutOf(options))
          const either = signal ? AbortSignal.any([signal, limit]) : limit
          await checkBeforeWriting(method, path, either)
          return await documentOf(await send(method, path, options, either), { method, path })
        } catch (error) {
          if (signal?.aborted) throw error
          const seconds = waits < WAITS_MAX ? secondsToWait(error) : undefined
          const isWaited = seconds !== undefined && (await waitTurn?.(seconds, signal)) === true
          if (!isWaited) throw complaints.explained(error)
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

/** A call that was counted out was not done: it may be made again, whatever it does. */
function secondsToWait(error: unknown): number | undefined {
  const isCounted = error instanceof GatewayError && error.code === 'RATE_LIMITED'
  const seconds = isCounted ? Number(error.params.retryAfterSeconds) : Number.NaN
  return seconds >= 0 ? Math.max(1, seconds) : undefined
}

/** What a server says of an access token that it no longer takes. */
const VOID_TOKEN: ReadonlySet<string> = new Set(['ACCESS_TOKEN_INVALID', 'NOT_SIGNED_IN', 'USER_HEADER_MISMATCH'])

/** Said by a proxy, or by a gateway that has no time for a word. */
const isOnTheWay = (status: number) => (status >= 300 && status < 400) || status === 429 || status >= 500

/** Of the document of a status; undefined when a gateway did not write it. */
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

/** All of an answer; undefined when there is more than anybody should send. */
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
