import type { Usage } from '../../../../core/pricing/prices.ts'
import { isRecord } from '../../../../core/records.ts'
import type { Mutable } from '../../conversation/collect.ts'
import type { CallPart, Citation, ReplyEvent, StopReason } from '../../conversation/conversation.ts'
import type { Json } from '../../json.ts'
import type { ReplyContext, ReplyWriter } from '../dialect.ts'
import { contentError } from './errors.ts'
import { framingFor } from './framing.ts'
import { wantsThoughts } from './parse-config.ts'
import {
  audioParts,
  callPart,
  finishReason,
  geminiImagePart,
  groundingMetadata,
  logprobsResult,
  usageMetadata,
} from './reply-parts.ts'
import { encodeSignature } from './signatures.ts'

interface Candidate {
  readonly index: number
  /** Calls that are not written yet, because this format needs complete arguments. */
  readonly calls: Mutable<CallPart>[]
  readonly citations: Citation[]
  readonly logprobs: Json[]
  /** The text so far, which is needed only to locate citations. */
  text: string
  stop: StopReason | undefined
}

/** Writes a stream of `GenerateContentResponse` objects. The last has the finish reason and the usage. */
export function contentWriter(context: ReplyContext): ReplyWriter {
  const framing = framingFor(context.query)
  const includesThoughts = wantsThoughts(context.body)
  const candidates = new Map<number, Candidate>()
  let responseId = context.requestId

  function candidateOf(index = 0): Candidate {
    const candidate = candidates.get(index) ?? emptyCandidate(index)
    candidates.set(index, candidate)
    return candidate
  }

  const writeResponse = (written: Json[], rest: Json = {}): string =>
    framing.frameChunk({ candidates: written, ...rest, modelVersion: context.model, responseId })

  function writeParts(choice: number | undefined, parts: Json[]): string {
    const { index } = candidateOf(choice)
    return parts.length ? writeResponse([{ content: { role: 'model', parts }, index }]) : ''
  }

  function writeCalls(candidate: Candidate): string {
    return writeParts(
      candidate.index,
      candidate.calls.splice(0).flatMap((call) => [callPart(call)]),
    )
  }

  function collect(event: ReplyEvent): string {
    if (event.kind === 'start') responseId = event.id ?? responseId
    else if (event.kind === 'call') candidateOf(event.choice).calls[event.call] = openCall(event)
    else if (event.kind === 'arguments') {
      const call = candidateOf(event.choice).calls[event.call]
      if (call) call.arguments += event.text
    } else if (event.kind === 'citation') candidateOf(event.choice).citations.push(event.citation)
    else if (event.kind === 'logprobs' && isRecord(event.logprobs))
      candidateOf(event.choice).logprobs.push(event.logprobs)
    else if (event.kind === 'stop') {
      const candidate = candidateOf(event.choice)
      candidate.stop = event.reason
      return writeCalls(candidate)
    }
    return ''
  }

  return {
    contentType: framing.contentType,
    ping: framing.ping,
    write(event) {
      if (event.kind === 'text' || event.kind === 'refusal') {
        candidateOf(event.choice).text += event.text
        return writeParts(event.choice, [{ text: event.text }])
      }
      if (event.kind === 'reasoning')
        return includesThoughts ? writeParts(event.choice, [{ text: event.text, thought: true }]) : ''
      if (event.kind === 'signature') {
        return includesThoughts
          ? writeParts(event.choice, [{ text: '', thought: true, thoughtSignature: encodeSignature(event.signature) }])
          : ''
      }
      if (event.kind === 'image') return writeParts(event.choice, [geminiImagePart(event)])
      if (event.kind === 'audio') return writeParts(event.choice, audioParts(event.audio))
      return collect(event)
    },
    end(usage: Usage) {
      candidateOf(candidates.keys().next().value)
      const sortedCandidates = [...candidates.values()].sort((a, b) => a.index - b.index)
      const calls = sortedCandidates.map(writeCalls).join('')
      const last = writeResponse(sortedCandidates.map(finalCandidate), { usageMetadata: usageMetadata(usage) })
      return calls + last + framing.end()
    },
    interrupted: (error) => framing.broken(contentError(error)),
  }
}

function emptyCandidate(index: number): Candidate {
  return { index, calls: [], citations: [], logprobs: [], text: '', stop: undefined }
}

function openCall({ id, name, custom, signature }: Extract<ReplyEvent, { kind: 'call' }>): Mutable<CallPart> {
  return {
    kind: 'call',
    id,
    name,
    arguments: '',
    ...(custom && { custom }),
    ...(signature !== undefined && { signature }),
  }
}

/** Returns a candidate for the last object: its finish reason, and data that is complete only at the end. */
function finalCandidate({ index, stop, citations, text, logprobs }: Candidate): Json {
  const grounding = groundingMetadata(citations, text)
  const probabilities = logprobsResult(logprobs)
  return {
    content: { role: 'model', parts: [{ text: '' }] },
    finishReason: finishReason(stop),
    index,
    ...(grounding && { groundingMetadata: grounding }),
    ...(probabilities && { logprobsResult: probabilities }),
  }
}
