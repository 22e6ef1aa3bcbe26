import { GatewayError } from '../../../core/errors.ts'
import { isRecord } from '../../../core/records.ts'
import { Meter } from '../charging/meter.ts'
import { OneReplyOnly } from '../conversation/client-fields.ts'
import type { ReplyEvent } from '../conversation/conversation.ts'
import type { Interruption } from '../delivery/interruption.ts'
import { DIALECTS } from '../dialects/dialects.ts'
import { type Json, numberOf } from '../json.ts'
import type { Failure, ProviderRequest } from '../providers/provider.ts'
import { type ChunkReader, ENDED_READER, type StreamChunk } from '../transport/chunks.ts'
import { STOP } from '../transport/upstream-reply.ts'
import type { AttemptListener, SkippedChannel } from './attempt.ts'
import { ChoiceTotals } from './choice-totals.ts'
import type { AttemptResult, BufferedReply, StreamReply } from './open-reply.ts'

/*
 * Gets several replies from an upstream that returns one reply per request. Sends parallel requests and merges their
 * replies. The requests together are one attempt. The attempt fails if a request fails before its first token. A later
 * failure breaks off the merged reply.
 */

/** Maximum number of parallel requests for one client request. */
const REQUESTS_MAX = 16

interface ChoicesParts {
  start(ask: ProviderRequest, listener: AttemptListener): void
  readonly interruption: Pick<Interruption, 'cause' | 'endAttempt'>
  /** Receives the merged result. */
  readonly listener: AttemptListener
  /**
   * The error of the provider, which could not plan one request for all replies. Undefined if the upstream rejected
   * such a request.
   */
  readonly refusal: GatewayError | undefined
}

/** Whether an upstream rejected a request because it returns only one reply per request. */
export function isChoicesFailure({ status, param, message }: Failure, ask: ProviderRequest): boolean {
  if (status !== 400 && status !== 422) return false
  if (ask.operation !== 'chat' || DIALECTS[ask.dialect].limit(ask.body).choices <= 1) return false
  return CHOICE_FIELD.test(param ?? '') || ONE_REPLY_ONLY.test(message)
}
const CHOICE_FIELD = /^(?:n|.*candidate_?count)$/i
const ONE_REPLY_ONLY =
  /multiple candidates|candidate_?count|(?:^|['"`\s])n['"`]?\s*(?:>|must|:|should|can only|=|is).{0,40}\b1\b/i

/** Sends one request per reply, and merges the results. */
export function startChoices(ask: ProviderRequest, parts: ChoicesParts): void {
  requestChoices(ask, parts).catch((error) => {
    if (parts.interruption.cause) parts.listener.onResult({ kind: 'cut' })
    else parts.listener.onError(error)
  })
}

async function requestChoices(
  ask: ProviderRequest,
  { start, interruption, listener, refusal }: ChoicesParts,
): Promise<void> {
  const { choices } = DIALECTS[ask.dialect].limit(ask.body)
  const requestedReplies = requestedCount(ask.body)
  // A request with `best_of` or several prompts cannot be split into requests for one reply.
  if (requestedReplies !== choices || requestedReplies > REQUESTS_MAX) {
    const field = refusal instanceof OneReplyOnly ? refusal.field : 'n'
    const reason = `${field} must be at most ${REQUESTS_MAX}: this model gives one reply at a time`
    const isTooMany = requestedReplies === choices || !refusal
    listener.onResult({
      kind: 'passed-over',
      refusal: isTooMany ? new GatewayError('REQUEST_MALFORMED', { reason, param: field }) : refusal,
    })
    return
  }
  await listener.coverPrompts?.(requestedReplies)
  if (interruption.cause) {
    listener.onResult({ kind: 'cut' })
    return
  }
  const results = await Promise.all(startAll(splitRequest(ask, requestedReplies), { start, interruption }))
  const replies = results.filter(isReply)
  const failedResult = results.find((result) => !isReply(result))
  listener.onResult(failedResult ?? mergeReplies(replies))
}

const isReply = (result: AttemptResult | SkippedChannel): result is BufferedReply | StreamReply =>
  result.kind === 'whole' || result.kind === 'stream'

/** Starts all requests and returns their results. If a request fails, ends all other requests. */
function startAll(
  asks: readonly ProviderRequest[],
  { start, interruption }: Pick<ChoicesParts, 'start' | 'interruption'>,
): Promise<AttemptResult | SkippedChannel>[] {
  let firstFailure: AttemptResult | SkippedChannel | undefined
  const openStreams: StreamReply[] = []
  return asks.map(
    (ask) =>
      new Promise((resolve, reject) => {
        const fail = () => {
          for (const { rest } of openStreams.splice(0)) rest.close()
          interruption.endAttempt()
        }
        start(ask, {
          onResult(result) {
            // The first failure ended the other requests, so ignore their results.
            if (firstFailure) {
              if (result.kind === 'stream') result.rest.close()
              resolve(firstFailure)
            } else if (result.kind === 'stream' || result.kind === 'whole') {
              if (result.kind === 'stream') openStreams.push(result)
              resolve(result)
            } else {
              firstFailure = result
              resolve(result)
              fail()
            }
          },
          onError(error) {
            firstFailure ??= { kind: 'cut' }
            reject(error)
            fail()
          },
        })
      }),
  )
}

/**
 * Copies a request once per reply. If a translated request has a seed, each copy gets another seed, so that the replies
 * differ.
 */
function splitRequest(ask: ProviderRequest, choices: number): ProviderRequest[] {
  const body = withoutChoices(ask.body)
  const raw = Buffer.from(JSON.stringify(body))
  return Array.from({ length: choices }, (_, index) => ({
    ...ask,
    body,
    raw,
    conversation() {
      const { choices: _choices, seed, ...conversation } = ask.conversation()
      return seed === undefined ? conversation : { ...conversation, seed: seed + index }
    },
  }))
}

const COUNT_FIELDS = ['n', 'best_of', 'candidateCount', 'candidate_count'] as const
const CONFIG_FIELDS = ['generationConfig', 'generation_config'] as const

/** Returns the number of replies that the client requests, or 1 by default. */
function requestedCount(body: Json): number {
  const config = CONFIG_FIELDS.map((name) => body[name]).find(isRecord)
  if (config) return requestedCount(config)
  const counts = [body.n, body.candidateCount, body.candidate_count].map(numberOf)
  return counts.find((count) => count !== undefined) ?? 1
}

function withoutChoices(body: Json): Json {
  const copy: Json = { ...body }
  for (const name of COUNT_FIELDS) delete copy[name]
  for (const name of CONFIG_FIELDS) if (isRecord(copy[name])) copy[name] = withoutChoices(copy[name])
  return copy
}

/** Meters a merged reply. Each of its requests contained the prompt, so the prompt counts several times. */
class ChoicesMeter extends Meter {
  constructor(private readonly requests: number) {
    super()
  }

  override get prompts(): number {
    return this.requests
  }
}

function mergeReplies(results: readonly (BufferedReply | StreamReply)[]): AttemptResult {
  const meter = new ChoicesMeter(results.length)
  const totals = new ChoiceTotals(results.length)
  const commonFields = { native: false, renamesModel: false, omitted: results[0]?.omitted }
  const headsByChoice = results.map((result, choice) => {
    if (result.kind === 'stream') return result.head.map((chunk) => totals.mergeChunk(chunk, choice))
    const { events } = totals.mergeChunk({ event: undefined, events: result.events }, choice)
    return [{ event: undefined, events: [...events, ...totals.finish(choice)] }]
  })
  if (results.every(({ kind }) => kind === 'whole')) {
    const events = headsByChoice.flat().flatMap((chunk) => chunk.events)
    meter.read(events)
    return { kind: 'whole', bytes: Buffer.alloc(0), body: {}, events, meter, ...commonFields }
  }
  const head = headsByChoice.flat()
  for (const { events } of head) meter.read(events)
  const rests = results.map((result) => (result.kind === 'stream' ? result.rest : ENDED_READER))
  const firstTokenAt = Math.min(
    ...results.map((result) => (result.kind === 'stream' ? result.firstTokenAt : Date.now())),
  )
  const rest = interleave(rests, totals)
  return { kind: 'stream', head, isWhole: false, rest, meter, firstTokenAt, ...commonFields }
}

type ChunkRead = { choice: number; chunks: readonly StreamChunk[] | undefined }

/**
 * Reads the chunks of several replies in order of arrival. Reads the next chunks of a reply only after the previous
 * chunks were consumed.
 */
function interleave(rests: readonly Pick<ChunkReader, 'next' | 'close'>[], totals: ChoiceTotals): ChunkReader {
  const pendingReads = new Map<number, Promise<ChunkRead>>()
  const open = new Set(rests.keys())
  let putBackChunks: readonly StreamChunk[] = []

  function readChunks(choice: number): Promise<ChunkRead> {
    const read =
      pendingReads.get(choice) ??
      (rests[choice] as ChunkReader).next().then((chunks) => ({ choice, chunks }) satisfies ChunkRead)
    pendingReads.set(choice, read)
    return read
  }

  function close(): void {
    putBackChunks = []
    open.clear()
    // Ignore rejections of pending reads: no code awaits them now.
    for (const read of pendingReads.values()) read.catch(() => undefined)
    for (const rest of rests) rest.close()
  }

  async function next(): Promise<readonly StreamChunk[] | undefined> {
    if (putBackChunks.length > 0) {
      const chunks = putBackChunks
      putBackChunks = []
      return chunks
    }
    while (open.size > 0) {
      const read = await nextRead()
      const { choice } = read
      pendingReads.delete(choice)
      if (!read.chunks) open.delete(choice)
      const chunks = (read.chunks ?? []).map((chunk) => totals.mergeChunk(chunk, choice))
      const end: ReplyEvent[] = read.chunks ? [] : totals.close(choice)
      if (end.length > 0) chunks.push({ event: undefined, events: end })
      if (chunks.some(({ events }) => events.length > 0)) return chunks
    }
    return undefined
  }

  async function nextRead(): Promise<ChunkRead> {
    try {
      return await Promise.race([...open].map(readChunks))
    } catch (error) {
      close()
      throw error
    }
  }

  return {
    next,
    async flow(take) {
      try {
        for (let chunks = await next(); chunks; chunks = await next()) if ((await take(chunks)) === STOP) return
      } catch (error) {
        close()
        throw error
      }
    },
    putBack(chunks) {
      putBackChunks = chunks
    },
    close,
  }
}
