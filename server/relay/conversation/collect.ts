import type { Usage } from '../../../core/pricing/prices.ts'
import { isRecord, recordOf } from '../../../core/records.ts'
import type { CallPart, Citation, ReasoningPart, ReplyEvent, StopReason } from './conversation.ts'

/** A complete reply, assembled from its events. */
export interface Reply {
  readonly id: string | undefined
  readonly model: string | undefined
  readonly choices: readonly ReplyChoice[]
  readonly usage: Usage | undefined
}

export interface ReplyChoice {
  readonly index: number
  text: string
  refusal: string
  /** The reasoning, in order. Consecutive pieces of reasoning are joined, until text, a call or a signature follows. */
  readonly reasoning: ReasoningPart[]
  readonly calls: CallPart[]
  readonly images: { data: string; mime: string }[]
  readonly audio: Record<string, unknown> | undefined
  readonly citations: Citation[]
  logprobs: unknown
  stop: StopReason | undefined
  sequence: string | undefined
}

export type Mutable<T> = { -readonly [K in keyof T]: T[K] }
type OpenChoice = Omit<Mutable<ReplyChoice>, 'calls' | 'reasoning'> & {
  isReasoningOpen: boolean
  calls: Mutable<CallPart>[]
  reasoning: Mutable<ReasoningPart>[]
}

/** Assembles the events of a reply. Sorts the choices by index. Returns at least one choice. */
export function collect(events: Iterable<ReplyEvent>): Reply {
  const reply: Mutable<Reply> = { id: undefined, model: undefined, choices: [], usage: undefined }
  const choices = new Map<number, OpenChoice>()
  const choiceAt = (index = 0): OpenChoice => {
    const choice = choices.get(index) ?? emptyChoice(index)
    choices.set(index, choice)
    return choice
  }
  for (const event of events) {
    if (event.kind === 'start') {
      reply.id ??= event.id
      reply.model ??= event.model
    } else if (event.kind === 'usage') reply.usage = event.usage
    else if (event.kind !== 'error' && event.kind !== 'end' && event.kind !== 'hosted' && event.kind !== 'stored')
      addEvent(choiceAt(event.choice), event)
  }
  if (choices.size === 0) choiceAt()
  reply.choices = [...choices.values()]
    .sort((a, b) => a.index - b.index)
    .map(({ isReasoningOpen: _, ...choice }) => choice)
  return reply
}

function emptyChoice(index: number): OpenChoice {
  return {
    index,
    text: '',
    refusal: '',
    reasoning: [],
    calls: [],
    images: [],
    audio: undefined,
    citations: [],
    logprobs: undefined,
    stop: undefined,
    sequence: undefined,
    isReasoningOpen: false,
  }
}

type ChoiceEvent = Exclude<ReplyEvent, { kind: 'start' | 'usage' | 'error' | 'end' }>

function addEvent(choice: OpenChoice, event: ChoiceEvent): void {
  switch (event.kind) {
    case 'text':
      choice.text += event.text
      choice.isReasoningOpen = false
      break
    case 'refusal':
      choice.refusal += event.text
      break
    case 'reasoning': {
      const last = choice.reasoning.at(-1)
      if (last && choice.isReasoningOpen) last.text += event.text
      else choice.reasoning.push({ kind: 'reasoning', text: event.text })
      choice.isReasoningOpen = true
      break
    }
    case 'signature': {
      const last = choice.reasoning.at(-1)
      if (last && choice.isReasoningOpen) last.signature = event.signature
      else choice.reasoning.push({ kind: 'reasoning', text: '', signature: event.signature })
      choice.isReasoningOpen = false
      break
    }
    case 'redacted':
      choice.reasoning.push({ kind: 'reasoning', text: '', redacted: event.data })
      choice.isReasoningOpen = false
      break
    case 'call':
      choice.calls[event.call] = {
        kind: 'call',
        id: event.id,
        name: event.name,
        arguments: '',
        ...(event.custom && { custom: true }),
        ...(event.signature !== undefined && { signature: event.signature }),
      }
      choice.isReasoningOpen = false
      break
    case 'arguments': {
      const call = choice.calls[event.call]
      if (call) call.arguments += event.text
      break
    }
    case 'image':
      choice.images.push({ data: event.data, mime: event.mime })
      break
    case 'audio':
      choice.audio = joinAudio(choice.audio ?? {}, event.audio)
      break
    case 'citation':
      choice.citations.push(event.citation)
      break
    case 'logprobs':
      choice.logprobs = joinLogprobs(choice.logprobs, event.logprobs)
      break
    case 'stop':
      choice.stop = event.reason
      choice.sequence = event.sequence
      break
  }
}

function joinAudio(
  previous: Record<string, unknown>,
  chunk: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const joined = { ...previous, ...chunk }
  for (const name of ['data', 'transcript']) {
    if (typeof previous[name] === 'string' && typeof chunk[name] === 'string')
      joined[name] = previous[name] + chunk[name]
  }
  return joined
}

/** Joins the logprobs of two chunks. The lists of a chunk contain only the tokens of this chunk. */
function joinLogprobs(previous: unknown, chunk: unknown): unknown {
  if (!isRecord(chunk)) return previous ?? chunk
  const joined = recordOf(previous)
  for (const [name, value] of Object.entries(chunk)) {
    const list = joined[name]
    if (!Array.isArray(value)) joined[name] ??= value
    else if (Array.isArray(list)) list.push(...value)
    else joined[name] = [...value]
  }
  return joined
}
