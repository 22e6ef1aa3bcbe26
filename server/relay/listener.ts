import type { IncomingHttpHeaders, IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { FastifyError } from 'fastify'
import type { Config } from '../../core/config.ts'
import type { Ready } from '../../core/ready.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'
import type { BodyBudget } from '../bodies/budget.ts'
import { jsonLimits } from '../bodies/json-scan.ts'
import { decodeBody } from '../bodies/receive.ts'
import { discardUnread } from '../bodies/unread.ts'
import { exposeToAnyOrigin } from '../cors.ts'
import { readForwarded } from '../forwarded.ts'
import { markTls } from '../security-headers.ts'
import { queryOf } from './admission/admission.ts'
import { apiKeyOf, type Caller, identifyCaller } from './admission/authenticate.ts'
import { relayLanguageOf, toBodyError } from './admission/body-refusal.ts'
import { modelInPath, type RelayEntry } from './admission/entry.ts'
import { receiveJson } from './admission/receive-json.ts'
import type { RelayRequest } from './admission/relay-request.ts'
import { isForm, rejectUnpaidLargeBody, senderOf } from './admission/senders.ts'
import { errorForClient, sendError } from './delivery/error.ts'
import { recordRejected } from './delivery/failed-relay.ts'
import type { FailureLog } from './delivery/failure-log.ts'
import { isNavigation } from './delivery/reply-head.ts'
import { DIALECTS } from './dialects/dialects.ts'
import { MESSAGES_PATH, messagesEntry } from './paths/anthropic.ts'
import { geminiEntry, isGeminiPath } from './paths/gemini.ts'
import { OPENAI_ROUTES } from './paths/openai.ts'
import type { Relays } from './relays.ts'

interface ListenerParts {
  readonly relays: Relays
  readonly toolkit: LocalToolkit
  readonly bodies: BodyBudget
  readonly failures: FailureLog
  readonly config: Pick<Config, 'bodyMax' | 'bodyItemsMax' | 'trustProxy'>
  readonly nextId: () => string
}

/**
 * Serves relays before Fastify's router. A table of exact paths costs a tenth of Fastify's router, hooks and body
 * parser. All other requests go to Fastify, such as other spellings of these paths, and navigation by browsers. For
 * those requests, `routes.ts` takes the same steps.
 */
export function serveRelaysFirst(server: Server, parts: ListenerParts): void {
  const routerListeners = server.listeners('request') as RequestListener[]
  server.removeAllListeners('request')
  const limits = jsonLimits(parts.config.bodyItemsMax)
  const forwarded = readForwarded(parts.config.trustProxy)
  server.on(
    'request',
    (raw: IncomingMessage & { url: string }, response: ServerResponse & { req: IncomingMessage }) => {
      // Navigation by a browser goes to Fastify, whose routes reject it in the same way for every path.
      const entry = raw.method === 'POST' && !isNavigation(raw.headers) ? relayEntryOf(raw.url) : undefined
      if (!entry) {
        for (const listener of routerListeners) listener(raw, response)
        return
      }
      if (forwarded.isTls(raw)) markTls(response)
      exposeToAnyOrigin(raw.headers, response)
      new ArrivingRequest(entry, raw, response, forwarded.addressOf(raw), limits, parts).identify()
    },
  )
}

/** A request whose relay has not started. Identifies the API key, receives the body and starts the relay. */
class ArrivingRequest implements RelayRequest {
  readonly id: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  body: unknown
  bodyKeys = 0
  caller: Caller | null = null
  readonly responseKeeper = null

  constructor(
    private readonly entry: RelayEntry,
    readonly raw: IncomingMessage & { url: string },
    private readonly response: ServerResponse,
    readonly ip: string,
    private readonly limits: ReturnType<typeof jsonLimits>,
    private readonly parts: ListenerParts,
  ) {
    this.id = parts.nextId()
    this.url = raw.url
    this.headers = raw.headers
  }

  /**
   * Checks the API key, and whether its owner can pay for a large body. Stores no byte of the body before both checks.
   */
  identify(): void {
    try {
      const caller = identifyCaller(this.parts.toolkit, {
        key: apiKeyOf(this.headers, queryOf(this)),
        address: this.ip,
      })
      const accepted =
        caller instanceof Promise ? caller.then((identified) => this.accept(identified)) : this.accept(caller)
      if (accepted instanceof Promise) accepted.then(() => this.receive()).catch((error) => this.reject(error))
      else this.receive()
    } catch (error) {
      this.reject(error)
    }
  }

  private accept(caller: Caller): Ready<void> {
    this.caller = caller
    return rejectUnpaidLargeBody(this.parts.toolkit, this, caller)
  }

  private receive(): void {
    const { raw, headers, parts, limits } = this
    if (isForm(headers)) {
      // Pass a form on as a stream, because admission checks the caller's group before it stores the form on disk.
      this.body = decodeBody(raw) ?? raw
      this.relay()
      return
    }
    if (headers['transfer-encoding'] === undefined && !(Number(headers['content-length']) > 0)) {
      this.relay()
      return
    }
    const share = () => parts.bodies.open(senderOf(this))
    receiveJson(raw, { request: raw, bytesMax: parts.config.bodyMax, limits, share }, (error, body, keys) => {
      if (error) {
        this.reject(error)
        return
      }
      this.body = body
      this.bodyKeys = keys
      this.relay()
    })
  }

  private relay(): void {
    this.parts.relays.handle(this.entry, this, this.response)
  }

  private reject(error: unknown): void {
    const { id, raw, response, entry, parts } = this
    const reason = toBodyError(error as FastifyError, parts.config.bodyMax)
    const refusal = errorForClient(reason, { requestId: id, language: relayLanguageOf(this) })
    recordRejected(parts.failures, error, { request: this, refusal, pathModel: modelInPath(entry) })
    discardUnread(raw, refusal.status)
    response.setHeader('cache-control', 'no-store')
    sendError(response, refusal, DIALECTS[entry.dialect])
  }
}

const BY_PATH: ReadonlyMap<string, RelayEntry> = new Map([
  // Responses are missing, because they may continue stored responses, which only their Fastify route loads.
  ...OPENAI_ROUTES.filter(([, { dialect }]) => dialect !== 'openai-responses').map(
    ([path, entry]) => [path, entry] as const,
  ),
  [MESSAGES_PATH, messagesEntry],
])

/** Returns the entry for a POST to a URL, or undefined if no relay has exactly this path. */
function relayEntryOf(url: string): RelayEntry | undefined {
  const mark = url.indexOf('?')
  const path = mark < 0 ? url : url.slice(0, mark)
  // Paths with double slashes go to Fastify's routes, which remove double slashes.
  return BY_PATH.get(path) ?? (isGeminiPath(path) && !path.includes('//') ? geminiEntry(url) : undefined)
}
