import { type ErrorKind, GatewayError, isErrorCode, type Params } from '../../core/errors.ts'
import type { Language } from '../../core/messages/language.ts'
import { VERSION } from '../../core/version.ts'
import { CommandError, ServerRefusal } from '../errors.ts'

const TIMEOUT_MS = 60_000
const TEXT_SHOWN = 200

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
  timeoutMs?: number
}

/** The envelope of an answer, and what stood above it. */
export interface Answer {
  message: string
  data: unknown
  /** The whole document, for the few that are no envelope. */
  document: Record<string, unknown>
  headers: Headers
}

/** Calls the REST API of a gateway by the paths of its document, such as `/api/token/:id`. */
export interface Client {
  readonly server: Server
  /**
   * Answers `data`. Throws the GatewayError that the server named, ServerRefusal for one that this version does not know, and
   * CommandError SERVER_UNREACHABLE, SERVER_FOREIGN, SERVER_OLDER, SERVER_BUSY or SERVER_BROKEN.
   */
  call(method: Method, path: string, options?: CallOptions): Promise<unknown>
  /** The same, with all of the answer. */
  ask(method: Method, path: string, options?: CallOptions): Promise<Answer>
  /** The response itself, once it is known to be no refusal: for streams and files. */
  open(method: Method, path: string, options?: CallOptions & { signal?: AbortSignal }): Promise<Response>
}
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** `headers`: sent with every call. */
export function createClient(
  server: Server,
  { language, headers: own = {} }: { language: Language; headers?: Record<string, string> },
): Client {
  async function send(
    method: Method,
    path: string,
    options: CallOptions & { signal?: AbortSignal },
  ): Promise<Response> {
    const { params = {}, query = {}, body, headers = {}, timeoutMs = TIMEOUT_MS, signal } = options
    const url = new URL(server.url + filled(path, params))
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value))
    }
    const limit = AbortSignal.timeout(timeoutMs)
    try {
      return await fetch(url, {
        method,
        redirect: 'manual',
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
        headers: {
          accept: 'application/json',
          'accept-language': language,
          'user-agent': `tollgate/${VERSION}`,
          ...(server.token !== undefined && { authorization: `Bearer ${server.token}` }),
          ...(server.userId !== undefined && { 'tollgate-user': String(server.userId) }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...own,
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
    } catch (cause) {
      if (signal?.aborted) throw cause
      throw unreachable(server.url, cause as Error)
    }
  }

  async function documentOf(response: Response, { method, path }: { method: Method; path: string }): Promise<Answer> {
    const text = await response.text().catch((cause: Error) => {
      throw unreachable(server.url, cause)
    })
    const document = parsed(text)
    const refusal = refusalIn(response, document)
    if (refusal) throw refusal
    if (document === undefined || response.status === 404) throw await strange(response, text, `${method} ${path}`)
    if (!response.ok) throw broken(response.status, document)
    const { message = '', data } = document
    return { message: String(message), data, document, headers: response.headers }
  }

  /** Why somebody answers who does not speak this API, or not this part of it. */
  async function strange(response: Response, text: string, call: string): Promise<CommandError> {
    const { url } = server
    if (response.status >= 300 && response.status < 400) {
      const to = response.headers.get('location') ?? 'elsewhere'
      return new CommandError('SERVER_FOREIGN', `${url} redirects to ${to}: give that address to tollgate login`)
    }
    if (response.status === 429) return busy(url)
    if (response.status >= 500) return broken(response.status, parsed(text))
    const version = await versionOf(url)
    if (version !== undefined) {
      return new CommandError(
        'SERVER_OLDER',
        `${url} runs Tollgate ${version}, which does not know ${call}; this is ${VERSION}: upgrade the server, or use its version of this program`,
      )
    }
    const what = /^\s*</.test(text) ? 'a web page' : text.trim() === '' ? 'an empty page' : 'something else'
    return new CommandError(
      'SERVER_FOREIGN',
      `${url} answers ${what}, not the Tollgate API (HTTP ${response.status}): check the address`,
    )
  }

  return {
    server,
    async ask(method, path, options = {}) {
      return documentOf(await send(method, path, options), { method, path })
    },
    async call(method, path, options) {
      return (await this.ask(method, path, options)).data
    },
    async open(method, path, options = {}) {
      const response = await send(method, path, options)
      const json = response.headers.get('content-type')?.includes('json') ?? false
      if (!response.ok || json) await documentOf(response, { method, path })
      return response
    },
  }
}

function filled(path: string, params: Readonly<Record<string, string | number>>): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name] ?? '')))
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const document: unknown = JSON.parse(text)
    return typeof document === 'object' && document !== null ? (document as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** What the server refused: by the code in the header, so that it reads as if it had happened here. */
function refusalIn(response: Response, document: Record<string, unknown> | undefined): Error | undefined {
  const named = parsed(decodeURIComponent(response.headers.get('tollgate-error') ?? ''))
  if (named) {
    const { code, kind, params } = named as { code: string; kind: ErrorKind; params?: Params }
    if (isErrorCode(code)) return new GatewayError(code, params)
    return new ServerRefusal(code, kind, String(document?.message ?? code))
  }
  if (document?.success !== false) return undefined
  const kind = response.status === 401 ? 'unauthenticated' : response.status === 403 ? 'forbidden' : 'invalid'
  return new ServerRefusal('REFUSED', kind, String(document.message ?? `HTTP ${response.status}`))
}

function unreachable(url: string, cause: Error): CommandError {
  const { code, message } = (cause.cause ?? cause) as NodeJS.ErrnoException
  const why =
    cause.name === 'TimeoutError'
      ? 'does not answer in time'
      : (REASONS[code ?? ''] ?? `cannot be reached (${(code ?? message).slice(0, TEXT_SHOWN)})`)
  return new CommandError('SERVER_UNREACHABLE', `${url} ${why}: is the gateway running, and is the address right?`, {
    cause,
  })
}
const REASONS: Record<string, string> = {
  ECONNREFUSED: 'refuses connections',
  ENOTFOUND: 'has a name that nobody knows',
  EAI_AGAIN: 'has a name that cannot be looked up now',
  ECONNRESET: 'closed the connection',
  UND_ERR_SOCKET: 'closed the connection',
  ETIMEDOUT: 'does not answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'does not answer in time',
  CERT_HAS_EXPIRED: 'has a certificate that has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'has a certificate that nobody vouches for (NODE_EXTRA_CA_CERTS names more authorities)',
}

function busy(url: string): CommandError {
  return new CommandError('SERVER_BUSY', `${url} has had too many calls from here: try again in a few minutes`)
}

function broken(status: number, document: Record<string, unknown> | undefined): CommandError {
  const said = typeof document?.message === 'string' ? `: ${document.message.slice(0, TEXT_SHOWN)}` : ''
  return new CommandError('SERVER_BROKEN', `the server failed with HTTP ${status}${said}; its log says why`)
}

/** The version of the gateway there; undefined when it is none. */
async function versionOf(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(`${url}/api/status`, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    const { data } = (await response.json()) as { data?: { version?: unknown } }
    return typeof data?.version === 'string' ? data.version : undefined
  } catch {
    return undefined
  }
}
