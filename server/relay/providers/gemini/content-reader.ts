import { randomBytes } from 'node:crypto'
import { isRecord, recordOf } from '../../../../core/records.ts'
import type { ReplyEvent, StopReason } from '../../conversation/conversation.ts'
import { type Json, lookup, numberOf, objectsOf, textOf, wordOf } from '../../json.ts'
import type { StreamEvent } from '../../transport/events.ts'
import type { ProviderContext, ReplyReader } from '../provider.ts'
import { errorInReply, parseErrorBody } from './errors.ts'
import { citationsIn } from './grounding.ts'
import { createHostedCallCounter } from './hosted-calls.ts'
import { contentUsage } from './usage.ts'

/** Stop reasons by Gemini's finish reasons. Any other finish reason, such as a malformed call, is a normal stop. */
const STOPS: Readonly<Record<string, StopReason>> = lookup({
  MAX_TOKENS: 'length',
  SAFETY: 'filter',
  RECITATION: 'filter',
  BLOCKLIST: 'filter',
  PROHIBITED_CONTENT: 'filter',
  SPII: 'filter',
  LANGUAGE: 'filter',
  IMAGE_SAFETY: 'filter',
  IMAGE_PROHIBITED_CONTENT: 'filter',
  IMAGE_RECITATION: 'filter',
})

interface ReaderOptions {
  /** Cache for the signatures of calls. Absent for native replies, because their clients send the signatures back. */
  readonly signatures?: ProviderContext['signatures']
  /** Names of custom tools, which are declared as functions whose only argument is free text. */
  readonly customToolNames?: ReadonlySet<string>
}

interface Candidate {
  readonly index: number
  calls: number
  text: string
  /** Citations that were already sent, because each event may repeat all citations. */
  readonly cited: Set<string>
}

/**
 * Reads `GenerateContentResponse` objects, whole or streamed. Each object of a stream has only new content. The stop
 * reason ends the reply, because a stream has no end event.
 * https://ai.google.dev/api/generate-content#generatecontentresponse
 */
export function contentReader({ signatures, customToolNames = new Set() }: ReaderOptions = {}): ReplyReader {
  const candidates = new Map<number, Candidate>()
  const hosted = createHostedCallCounter()
  let hasBegun = false

  function candidateOf(index: number): Candidate {
    const candidate = candidates.get(index) ?? { index, calls: 0, text: '', cited: new Set<string>() }
    candidates.set(index, candidate)
    return candidate
  }

  function read(body: Json): ReplyEvent[] {
    const error = errorInReply(body)
    if (error) return [{ kind: 'error', error }]
    const events: ReplyEvent[] = []
    const id = textOf(body.responseId)
    const model = textOf(body.modelVersion)
    if (!hasBegun && (id || model)) {
      hasBegun = true
      events.push({ kind: 'start', ...(id && { id }), ...(model && { model }) })
    }
    // The usage precedes the content, because Anthropic's format reports prompt tokens in its first event.
    const usage = contentUsage(body.usageMetadata)
    if (usage) events.push({ kind: 'usage', usage })
    const wireCandidates = objectsOf(body.candidates)
    for (const candidate of wireCandidates) readCandidate(candidate, events)
    // For a blocked prompt, there is no candidate with a finish reason.
    if (wireCandidates.length === 0 && textOf(recordOf(body.promptFeedback).blockReason)) {
      events.push({ kind: 'stop', reason: 'filter', choice: 0 })
    }
    return events
  }

  function readCandidate(wire: Json, events: ReplyEvent[]): void {
    const candidate = candidateOf(typeof wire.index === 'number' ? wire.index : 0)
    const choice = candidate.index
    for (const part of objectsOf(recordOf(wire.content).parts)) readPart(part, candidate, events)
    if (isRecord(wire.groundingMetadata)) readCitations(wire.groundingMetadata, candidate, events)
    events.push(...hosted(wire))
    if (isRecord(wire.logprobsResult)) {
      events.push({ kind: 'logprobs', logprobs: openAiLogprobs(wire.logprobsResult), choice })
    }
    const reason = textOf(wire.finishReason)
    if (!reason) return
    const stop = STOPS[reason] ?? 'stop'
    events.push({ kind: 'stop', reason: stop === 'stop' && candidate.calls > 0 ? 'tools' : stop, choice })
  }

  function readPart(part: Json, candidate: Candidate, events: ReplyEvent[]): void {
    const choice = candidate.index
    const text = textOf(part.text) ?? codeText(part)
    if (text && part.thought === true) events.push({ kind: 'reasoning', text, choice })
    else if (text) {
      candidate.text += text
      events.push({ kind: 'text', text, choice })
    }
    if (isRecord(part.functionCall)) readCall(part.functionCall, textOf(part.thoughtSignature), candidate, events)
    // Skip images in reasoning, because these are drafts.
    if (isRecord(part.inlineData) && part.thought !== true) readInline(part.inlineData, choice, events)
  }

  function readCall(called: Json, signature: string | undefined, candidate: Candidate, events: ReplyEvent[]): void {
    const name = textOf(called.name)
    if (!name) return
    const id = textOf(called.id) ?? `call_${randomBytes(12).toString('hex')}`
    const call = candidate.calls
    candidate.calls += 1
    if (signature) signatures?.set(id, signature)
    const isCustom = customToolNames.has(name)
    const choice = candidate.index
    events.push({
      kind: 'call',
      call,
      id,
      name,
      choice,
      ...(isCustom && { custom: true }),
      ...(signature && { signature }),
    })
    const args = recordOf(called.args)
    const text = isCustom ? (textOf(args.input) ?? '') : JSON.stringify(args)
    events.push({ kind: 'arguments', call, text, choice })
  }

  function readCitations(metadata: Json, candidate: Candidate, events: ReplyEvent[]): void {
    for (const citation of citationsIn(metadata, candidate.text)) {
      const key = JSON.stringify(citation)
      if (candidate.cited.has(key)) continue
      candidate.cited.add(key)
      events.push({ kind: 'citation', citation, choice: candidate.index })
    }
  }

  return {
    event({ payload, data }: StreamEvent) {
      if (payload) return read(payload)
      return data.startsWith('[') ? read(parseErrorBody(data)) : []
    },
    whole(body) {
      const events = read(body)
      if (!events.some(({ kind }) => kind === 'error')) events.push({ kind: 'end' })
      return events
    },
  }
}

/** Returns the code that the model executed, or its output, as Markdown. */
function codeText({ executableCode, codeExecutionResult }: Json): string | undefined {
  if (isRecord(executableCode)) {
    const language = (textOf(executableCode.language) ?? '').toLowerCase()
    return `\n\`\`\`${language === 'language_unspecified' ? '' : language}\n${textOf(executableCode.code) ?? ''}\n\`\`\`\n`
  }
  if (!isRecord(codeExecutionResult)) return undefined
  return `\n\`\`\`\n${textOf(codeExecutionResult.output) ?? wordOf(codeExecutionResult.outcome ?? '')}\n\`\`\`\n`
}

function readInline(blob: Json, choice: number, events: ReplyEvent[]): void {
  const data = textOf(blob.data)
  const mime = textOf(blob.mimeType) ?? 'image/png'
  if (!data) return
  if (mime.startsWith('audio/')) events.push({ kind: 'audio', audio: { data, format: mime }, choice })
  else events.push({ kind: 'image', data, mime, choice })
}

/** Converts `logprobsResult` to OpenAI's format: each chosen token with its alternatives. */
function openAiLogprobs(result: Json): Json {
  const tops = objectsOf(result.topCandidates)
  return {
    content: objectsOf(result.chosenCandidates).map((chosen, at) => ({
      ...logprobOf(chosen),
      top_logprobs: objectsOf(recordOf(tops[at]).candidates).map(logprobOf),
    })),
    refusal: null,
  }
}

function logprobOf(candidate: Json): Json {
  const token = textOf(candidate.token) ?? ''
  return { token, logprob: numberOf(candidate.logProbability) ?? 0, bytes: [...Buffer.from(token)] }
}
