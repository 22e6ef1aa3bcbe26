import type { FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { GatewayError } from '../../../core/errors.ts'
import { isRecord, recordOf } from '../../../core/records.ts'
import type { JsonObject, ResponseOwner, StoredResponse } from '../../../core/responses/responses.ts'
import { RESPONSE_BYTES_MAX } from '../../../core/responses/responses.ts'
import type { LocalToolkit } from '../../../core/toolkit.ts'
import type { Caller } from '../admission/authenticate.ts'
import { newItemId } from '../conversation/envelope.ts'
import { checkResponses } from '../dialects/openai-responses/request.ts'
import { responseObject } from '../dialects/openai-responses/response.ts'
import { refuse } from '../dialects/refuse.ts'
import type { InnerCalls, InnerReply } from '../inner-calls.ts'
import { type Json, textOf, wordOf } from '../json.ts'
import { ownerOf } from './keeper.ts'
import { itemsOfInput } from './replay.ts'

/** Maximum number of a user's running background responses in this process. Each uses memory and holds quota. */
const RUNNING_OF_USER_MAX = 50
/** Interval in ms between checks whether a running response was canceled, deleted or has expired. */
const CHECK_INTERVAL_MS = 1000

interface BackgroundParts {
  readonly toolkit: Pick<LocalToolkit, 'responses' | 'ledger'>
  readonly calls: InnerCalls
  readonly logger: Logger
}

interface BackgroundRun {
  readonly id: string
  readonly owner: ResponseOwner
  readonly nodeId: string
  /** The unfinished response, which clients can read meanwhile. */
  readonly response: Json
  readonly body: Json
}

/** Runs background responses. A client does not wait for such a response, but polls it by its id. */
export class BackgroundResponses {
  private readonly running = new Set<Promise<void>>()
  /** Numbers of starting and running responses by user id. */
  private readonly counts = new Map<number, number>()

  constructor(private readonly parts: BackgroundParts) {}

  /**
   * Stores and starts a response, and returns it with the status `queued`. Throws REQUEST_MALFORMED, MODEL_REQUIRED,
   * RATE_LIMITED, REQUEST_TOO_LARGE, DATABASE_UNAVAILABLE.
   */
  async begin(request: FastifyRequest, body: Json): Promise<Json> {
    const { background: _, ...requestBody } = body
    if (body.stream === true)
      refuse(
        'a response in the background is not streamed: send stream false, and poll the response by its id',
        'stream',
      )
    if (body.store === false) refuse('a response in the background must be stored: leave store out', 'store')
    checkResponses(requestBody)
    if (textOf(body.model) === undefined) throw new GatewayError('MODEL_REQUIRED')
    const owner = ownerOf(request.caller as Caller)
    // Count the response before the first await, so that parallel requests cannot exceed the maximum.
    const release = this.reserveSlot(owner)
    try {
      const run = await this.store(owner, requestBody)
      const call = this.parts.calls.begin(request, { ...requestBody, stream: true })
      const work = this.finish(run, call)
      this.running.add(work)
      void work.finally(() => {
        this.running.delete(work)
        release()
      })
      return run.response
    } catch (error) {
      release()
      throw error
    }
  }

  /** Waits for all running responses. Must be called at shutdown, after the relays were aborted. */
  async waitForAll(): Promise<void> {
    await Promise.allSettled(this.running)
  }

  /** Counts one more response of the user. Returns a function that ends the counting. Throws RATE_LIMITED. */
  private reserveSlot({ userId }: ResponseOwner): () => void {
    const countOfUser = () => this.counts.get(userId) ?? 0
    if (countOfUser() >= RUNNING_OF_USER_MAX) throw new GatewayError('RATE_LIMITED')
    this.counts.set(userId, countOfUser() + 1)
    return () => {
      if (countOfUser() > 1) this.counts.set(userId, countOfUser() - 1)
      else this.counts.delete(userId)
    }
  }

  private async store(owner: ResponseOwner, body: Json): Promise<BackgroundRun> {
    const { ledger, responses } = this.parts.toolkit
    if (ledger.nodeId === '') await ledger.heartbeat()
    const { nodeId } = ledger
    const id = newItemId('resp')
    const response = { ...pendingResponse(body, id), status: 'queued' }
    const input = itemsOfInput(body.input)
    const isAdded = await responses.add(owner, { id, ...linksOf(body), response, input, nodeId })
    if (!isAdded) throw new GatewayError('REQUEST_TOO_LARGE', { max: RESPONSE_BYTES_MAX })
    return { id, owner, nodeId, response, body }
  }

  private async finish(run: BackgroundRun, call: { reply: Promise<InnerReply>; abort(): void }): Promise<void> {
    const { responses } = this.parts.toolkit
    const { id, owner, nodeId } = run
    const checkTimer = setInterval(() => {
      responses.mustContinue(owner, id, nodeId).then(
        (isWanted) => isWanted || call.abort(),
        // If the database is unavailable, the response continues.
        () => {},
      )
    }, CHECK_INTERVAL_MS).unref()
    try {
      const end = finalResponse(await call.reply.catch(() => undefined), run)
      const result = { id, ...linksOf(run.body), input: itemsOfInput(run.body.input), nodeId }
      const isStored = await responses.finish(owner, { ...result, response: end })
      // `finish` returns false if the response is too large, canceled or missing. This second call stores the failure
      // only if the response was too large.
      if (!isStored) await responses.finish(owner, { ...result, response: failedResponse(run, TOO_LARGE) })
    } catch (error) {
      this.parts.logger.error({ response: id, err: error }, 'response in the background not stored')
    } finally {
      clearInterval(checkTimer)
    }
  }
}

function linksOf(body: Json): { previousId: string | undefined; conversationId: string | undefined } {
  return {
    previousId: textOf(body.previous_response_id),
    conversationId: conversationOf(body),
  }
}

/** Returns the id of the conversation that a request continues, if any. */
export const conversationOf = ({ conversation }: Json): string | undefined =>
  textOf(conversation) ?? textOf(recordOf(conversation).id)

function pendingResponse(body: Json, id: string): Json {
  const context = { body, model: wordOf(body.model), created: Math.floor(Date.now() / 1000), keep: () => {} }
  const response = responseObject(
    { ...context, continuedFrom: linksOf(body) },
    { id, status: 'in_progress', output: [], usage: undefined },
  )
  return { ...response, background: true }
}

/** Returns the final response, with the id that the client already has. */
function finalResponse(reply: InnerReply | undefined, run: BackgroundRun): JsonObject {
  if (reply?.status === 200 && textOf(reply.body.id) !== undefined) return { ...reply.body, ...clientFieldsOf(run) }
  const { message, code } = recordOf(reply?.body.error)
  return failedResponse(run, {
    code: textOf(code) ?? 'server_error',
    message: textOf(message) ?? 'The response could not be created',
  })
}

function failedResponse(run: BackgroundRun, error: { code: string; message: string }): JsonObject {
  return { ...pendingResponse(run.body, run.id), ...clientFieldsOf(run), status: 'failed', error }
}

const clientFieldsOf = ({ id, response }: BackgroundRun) => ({
  id,
  background: true,
  store: true,
  ...pick(response, ['previous_response_id', 'conversation']),
})

const TOO_LARGE = { code: 'server_error', message: 'The response is too large to be stored' }

function pick(object: Json, names: readonly string[]): Json {
  return Object.fromEntries(names.flatMap((name) => (object[name] === undefined ? [] : [[name, object[name]]])))
}

/** Returns the response with the status `failed`, because the process that ran it has ended. */
export function failedAfterStop(response: Readonly<Json>): Json {
  const message = 'The gateway stopped before the response was complete: send the request again'
  return { ...response, status: 'failed', error: { code: 'server_error', message } }
}

/**
 * Cancels a running background response. The process that runs it aborts it within about a second. Returns a finished
 * response unchanged, and undefined if there is no such response. Throws REQUEST_MALFORMED if the response is no
 * background response.
 */
export async function cancelResponse(
  { responses }: Pick<LocalToolkit, 'responses'>,
  owner: ResponseOwner,
  id: string,
): Promise<StoredResponse | undefined> {
  let isForeground = false
  const row = await responses.edit(owner, id, (content, { nodeId }) => {
    isForeground = content.response?.background !== true
    if (nodeId === '' || !isRecord(content.response)) return undefined
    return { ...content, response: { ...content.response, status: 'cancelled' } }
  })
  if (row && isForeground) refuse('only a response with background true can be canceled', 'response_id')
  return row
}
