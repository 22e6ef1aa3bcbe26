import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { type WebSocket, WebSocketServer } from 'ws'
import { GatewayError } from '../../../core/errors.ts'
import { parseObject } from '../../../core/input.ts'
import { recordOf } from '../../../core/records.ts'
import type { LocalToolkit } from '../../../core/toolkit.ts'
import { BodyBudget, type BodyBytes } from '../../bodies/budget.ts'
import { type JsonLimits, JsonScan } from '../../bodies/json-scan.ts'
import { countMessages } from '../../bodies/messages.ts'
import { queryOf } from '../admission/admission.ts'
import { apiKeyOf, identifyCaller } from '../admission/authenticate.ts'
import { relayLanguageOf } from '../admission/body-refusal.ts'
import { rejectUnpaidLargeBody } from '../admission/senders.ts'
import { newItemId } from '../conversation/envelope.ts'
import { errorForClient } from '../delivery/error.ts'
import type { Stoppable } from '../delivery/grace.ts'
import { DIALECTS } from '../dialects/dialects.ts'
import { responseObject } from '../dialects/openai-responses/response.ts'
import type { InnerCall, InnerCalls, InnerStream } from '../inner-calls.ts'
import { type Json, objectsOf, textOf, wordOf } from '../json.ts'
import { DONE, payloadsIn } from '../transport/sse.ts'
import { itemsOfInput, replayItem } from './replay.ts'

/** Maximum lifetime of a connection. OpenAI has the same limit. */
const LIFETIME_MS = 60 * 60_000
/** Maximum number of connections per user. Each connection remembers its last response. */
const SOCKETS_OF_USER_MAX = 50
/**
 * Maximum JSON size in bytes of a response that a connection remembers. To continue a larger response, clients must
 * store the response or send it again.
 */
const REMEMBERED_MAX = 4 * 1024 * 1024
/** Maximum JSON size in bytes of the remembered responses: in all, per address, and per user. */
const MEMORIES_MAX = { inAll: 256 * 1024 * 1024, ofAddress: 64 * 1024 * 1024, ofUser: 32 * 1024 * 1024 }
const CLOSE_NORMAL = 1000
/** Time in ms that a client has to confirm that the connection closes. */
const CLOSE_WAIT_MS = 500
const CLOSE_GOING_AWAY = 1001
/** The event that requests a response: https://developers.openai.com/api/docs/guides/websocket-mode */
const CREATE = 'response.create'

interface ResponsesSocketParts {
  readonly calls: InnerCalls
  readonly toolkit: LocalToolkit
  /** Counts the memory of incomplete messages. */
  readonly bodies: BodyBudget
  readonly limits: JsonLimits
  readonly logger: Logger
  /** Maximum size of a message. */
  readonly bytesMax: number
  /** Time in ms without messages after which a connection is closed. */
  readonly idleMs: number
}

/** Serves Responses over websockets. Each response is an ordinary relay, with its own hold, model and charge. */
export class ResponsesSockets implements Stoppable {
  private readonly server: WebSocketServer
  private readonly memories = new BodyBudget(MEMORIES_MAX)
  /** User ids by open socket. */
  private readonly open = new Map<WebSocket, number>()

  constructor(private readonly parts: ResponsesSocketParts) {
    this.server = new WebSocketServer({ noServer: true, maxPayload: parts.bytesMax, perMessageDeflate: false })
  }

  /** Throws RATE_LIMITED if a user has the maximum number of sockets. */
  admit(userId: number): void {
    const count = [...this.open.values()].filter((id) => id === userId).length
    if (count >= SOCKETS_OF_USER_MAX) throw new GatewayError('RATE_LIMITED')
  }

  /** Upgrades a connection whose key was checked, and serves it. */
  accept(request: FastifyRequest, { socket, head, userId }: { socket: Socket; head: Buffer; userId: number }): void {
    this.server.handleUpgrade(request.raw as IncomingMessage, socket, head, (client) => {
      this.open.set(client, userId)
      client.once('close', () => this.open.delete(client))
      const sender = { address: request.ip, userId }
      countMessages(client, socket, this.parts.bodies.open(sender))
      new ResponsesSocket(client, request, { ...this.parts, memory: this.memories.open(sender) })
    })
  }

  /** Returns an empty list, because responses are relays, for which a stopping gateway waits elsewhere. */
  running(): Iterable<Promise<unknown>> {
    return []
  }

  /** Closes all connections at shutdown. */
  stop(): void {
    for (const client of this.open.keys()) {
      client.close(CLOSE_GOING_AWAY, 'the gateway is stopping')
      setTimeout(() => client.terminate(), CLOSE_WAIT_MS).unref()
    }
  }
}

/** The last response of a connection. The next request may continue it, even if it is not stored. */
interface RememberedResponse {
  readonly id: string
  readonly items: readonly Json[]
}

class ResponsesSocket {
  private running: InnerCall<InnerStream> | undefined
  private last: RememberedResponse | undefined
  private readonly idleTimer: NodeJS.Timeout

  constructor(
    private readonly client: WebSocket,
    private readonly request: FastifyRequest,
    private readonly parts: ResponsesSocketParts & { readonly memory: BodyBytes },
  ) {
    const { idleMs } = parts
    const closeIfIdle = () => this.running ?? client.close(CLOSE_NORMAL, `idle for ${idleMs / 1000} seconds`)
    this.idleTimer = setTimeout(closeIfIdle, idleMs).unref()
    const lifetimeTimer = setTimeout(() => client.close(CLOSE_NORMAL, 'open for 60 minutes'), LIFETIME_MS).unref()
    client.on('message', (data, isBinary) => this.onMessage(isBinary ? undefined : (data as Buffer)))
    // For an invalid or too large frame, the library emits an error and closes the connection itself.
    client.on('error', () => client.terminate())
    client.once('close', () => {
      clearTimeout(this.idleTimer)
      clearTimeout(lifetimeTimer)
      this.running?.disconnect()
      parts.memory.release()
    })
  }

  /** Checks a message as if it were the body of a request, then handles the message. */
  private onMessage(message: Buffer | undefined): void {
    this.idleTimer.refresh()
    if (message === undefined) {
      this.sendProblem(NOT_JSON)
      return
    }
    this.client.pause()
    this.admit(message)
      .then(() => this.handleEvent(message.toString('utf8')))
      .catch((error) => this.sendError(error))
      .finally(() => this.client.resume())
  }

  /**
   * Checks the key, the balance and the structure of a message. Throws TOKEN_*, USER_DISABLED, INSUFFICIENT_*,
   * REQUEST_MALFORMED.
   */
  private async admit(message: Buffer): Promise<void> {
    const { request, parts } = this
    const { toolkit, limits } = parts
    const key = apiKeyOf(request.headers, queryOf(request))
    const caller = await identifyCaller(toolkit, { key, address: request.ip })
    await rejectUnpaidLargeBody(toolkit, { headers: { 'content-length': String(message.length) } }, caller)
    new JsonScan(limits).read(message)
  }

  private sendError(error: unknown): void {
    const { request, parts } = this
    if (!(error instanceof GatewayError)) parts.logger.error({ requestId: request.id, err: error }, 'turn failed')
    const refusal = errorForClient(error, { requestId: request.id, language: relayLanguageOf(request) })
    this.passError(refusal.status, DIALECTS['openai-responses'].error(refusal).body)
  }

  private handleEvent(text: string): void {
    const event = parseObject(text)
    const problem = event ? problemIn(event, this.running !== undefined) : NOT_JSON
    if (!event || problem) {
      this.sendProblem(problem ?? NOT_JSON)
      return
    }
    const { type: _, stream: __, background: ___, generate, ...body } = event
    const requestBody = this.withLastResponse(body)
    if (generate === false) {
      this.warmUp(requestBody)
      return
    }
    this.runTurn(requestBody).catch((error) => {
      this.parts.logger.error({ requestId: this.request.id, err: error }, 'turn over a websocket failed')
      this.sendProblem({ message: 'the response could not be created', code: 'server_error', status: 500 })
    })
  }

  /** If a body continues the connection's last response, inserts that response's items, which may not be stored. */
  private withLastResponse(body: Json): Json {
    const { last } = this
    if (!last || body.previous_response_id !== last.id) return body
    const { previous_response_id: _, ...rest } = body
    return { ...rest, input: [...last.items, ...itemsOfInput(body.input)] }
  }

  /** Remembers the input as context for the next response, without calling a model. */
  private warmUp(body: Json): void {
    const id = newItemId('resp')
    this.remember(id, itemsOfInput(body.input))
    const context = { body, model: wordOf(body.model), created: Math.floor(Date.now() / 1000) }
    const response = responseObject(context, { id, status: 'completed', output: [], usage: undefined })
    this.send({ type: 'response.created', sequence_number: 0, response: { ...response, status: 'in_progress' } })
    this.send({ type: 'response.completed', sequence_number: 1, response })
  }

  private async runTurn(body: Json): Promise<void> {
    const call = this.parts.calls.stream(this.request, { ...body, stream: true })
    this.running = call
    try {
      const { status, headers, stream } = await call.reply
      if (!String(headers['content-type']).startsWith('text/event-stream')) {
        this.passError(status, parseObject(await textFrom(stream)))
        return
      }
      for await (const payload of payloadsIn(stream)) {
        this.pass(payload, body)
        await this.waitForDrain()
      }
    } catch (error) {
      if (this.client.readyState === this.client.OPEN) throw error
    } finally {
      this.running = undefined
      this.idleTimer.refresh()
    }
  }

  /** Sends the payload of a stream's event to the client. */
  private pass(payload: string, { input }: Json): void {
    if (payload === '' || payload === DONE) return
    this.client.send(payload)
    // Parse only the final event of a response. In other events, such a text has escaped quotes.
    if (!/"response\.(completed|incomplete)"/.test(payload)) return
    const response = recordOf(parseObject(payload)?.response)
    const id = textOf(response.id)
    // A stored response need not be remembered.
    if (id === undefined || response.store === true) return
    const outputItems = objectsOf(response.output).flatMap((item) => replayItem(item, { isForeign: false }))
    this.remember(id, [...itemsOfInput(input), ...outputItems])
  }

  /** Remembers a response and forgets the last one. Does not remember a response that is too large. */
  private remember(id: string, items: readonly Json[]): void {
    const { memory, limits } = this.parts
    this.last = undefined
    memory.release()
    const json = Buffer.from(JSON.stringify(items))
    if (json.length > REMEMBERED_MAX) return
    try {
      new JsonScan(limits).read(json)
      memory.add(json.length)
    } catch (error) {
      if (error instanceof GatewayError) return
      throw error
    }
    this.last = { id, items }
  }

  private passError(status: number, body: unknown): void {
    this.send({ type: 'error', status, error: recordOf(recordOf(body).error) })
  }

  private sendProblem({ message, param = null, code = 'invalid_request', status = 400 }: Problem): void {
    const type = status === 500 ? 'server_error' : 'invalid_request_error'
    this.send({ type: 'error', status, error: { type, code, message, param } })
  }

  private send(event: Json): void {
    if (this.client.readyState === this.client.OPEN) this.client.send(JSON.stringify(event))
  }

  /** Waits until a slow client has read enough. Meanwhile, the upstream pauses. */
  private async waitForDrain(): Promise<void> {
    while (this.client.readyState === this.client.OPEN && this.client.bufferedAmount > BUFFERED_MAX) {
      await new Promise((resolve) => setTimeout(resolve, DRAIN_CHECK_MS))
    }
  }
}

interface Problem {
  readonly message: string
  readonly param?: string | null
  readonly code?: string
  readonly status?: number
}

const NOT_JSON: Problem = { message: 'a message must be a JSON object, as text' }

/** Returns the error for an event that the connection cannot handle. Returns undefined for other events. */
function problemIn({ type, background }: Json, isRunning: boolean): Problem | undefined {
  if (type !== CREATE) return { message: `type must be ${CREATE}`, param: 'type' }
  if (isRunning)
    return { message: 'a response is running: send the next event after its end', code: 'response_in_progress' }
  if (background !== true) return undefined
  return { message: 'background is not served over a websocket: use POST /v1/responses', param: 'background' }
}

const BUFFERED_MAX = 1024 * 1024
const DRAIN_CHECK_MS = 20

async function textFrom(stream: AsyncIterable<unknown>): Promise<string> {
  let text = ''
  for await (const chunk of stream) text += String(chunk)
  return text
}
