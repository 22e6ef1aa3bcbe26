import { recordOf } from '../../../core/records.ts'
import { refuseFeatures } from '../conversation/client-fields.ts'
import type { Conversation, Part, Turn } from '../conversation/conversation.ts'
import { refuse } from '../dialects/refuse.ts'
import { type Json, objectsOf, textOf, wordOf } from '../json.ts'
import { chatBody } from './openai/chat-body.ts'

/*
 * Functions for formats that support little more than text. For an unsupported feature, they throw REQUEST_MALFORMED
 * with the name of the client's field.
 */

/** Text of a turn that the gateway inserts if the upstream's format requires a turn, or if a turn is empty. */
export const FILLER_TEXT = 'Okay'

/**
 * Returns the text of parts, including text files and tool results. Skips reasoning and calls. Throws REQUEST_MALFORMED
 * for other media, and for parts that only some vendors support.
 */
export function plainText(parts: readonly Part[], separator = '\n'): string {
  return parts.flatMap((part) => plainTexts(part, separator)).join(separator)
}

function plainTexts(part: Part, separator: string): string[] {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return part.text === '' ? [] : [part.text]
    case 'result':
      return [plainText(part.parts, separator)]
    // The formats have a separate field for calls.
    case 'reasoning':
    case 'call':
      return []
    case 'file':
      if ('text' in part.media) return [part.media.text]
      break
  }
  const kindName = part.kind === 'other' ? wordOf(part.part.type) : part.kind
  return refuse(`messages: this model reads texts only, not a part of type ${kindName}; send its content as text`)
}

/**
 * Throws REQUEST_MALFORMED if the client requests several replies, media, log probabilities or a JSON schema, or sends
 * a `logit_bias`.
 */
export function checkPlainReply(
  conversation: Pick<Conversation, 'client' | 'choices' | 'modalities' | 'logprobs' | 'format'>,
): void {
  refuseFeatures(conversation, ['choices', 'modalities', 'logprobs', 'bias'])
  const { format } = conversation
  if (format?.kind === 'schema') {
    refuse('response_format: this model takes no JSON schema; describe the JSON in the prompt, and ask for json_object')
  }
}

/**
 * Returns the client's functions for formats without a tool choice. Returns none if the tool choice forbids calls. If
 * the choice names functions, returns only these functions.
 */
export function offeredFunctions({ tools, toolChoice }: Pick<Conversation, 'tools' | 'toolChoice'>): OfferedFunction[] {
  const { mode, names } = toolChoice ?? {}
  const offeredTools = mode === 'none' ? [] : tools.filter(({ name }) => names === undefined || names.includes(name))
  const functionTools = chatBody({ turns: [], tools: offeredTools, extras: {} }, { model: '', stream: false }).tools
  return objectsOf(functionTools).flatMap(({ function: called }) => {
    const { name, description, parameters } = recordOf(called)
    if (typeof name !== 'string') return []
    return [{ name, description: textOf(description), parameters: recordOf(parameters) }]
  })
}

export interface OfferedFunction {
  readonly name: string
  readonly description: string | undefined
  readonly parameters: Json
}

/** Returns at most `max` stop sequences that are not blank, or undefined if there are none. */
export function stopsOf(stop: readonly string[] | undefined, max = Number.POSITIVE_INFINITY): string[] | undefined {
  const sequences = stop?.filter((sequence) => sequence.trim() !== '').slice(0, max)
  return sequences?.length ? sequences : undefined
}

/** Returns the value, or the nearest bound if the value is out of bounds. */
export function clamp(value: number | undefined, [min, max]: readonly [number, number]): number | undefined {
  return value === undefined ? undefined : Math.min(Math.max(value, min), max)
}

/** Inserts a user turn if the first turn is the assistant's, because some formats require a user turn first. */
export function beginningWithUser(turns: readonly Turn[]): readonly Turn[] {
  return turns[0]?.role === 'assistant' ? [fillerTurn('user'), ...turns] : turns
}

export function fillerTurn(role: Turn['role']): Turn {
  return { role, parts: [{ kind: 'text', text: FILLER_TEXT }] }
}

/**
 * Converts a turn for formats without a system role. A system turn becomes a user turn and a filler turn of the
 * assistant.
 */
export function systemAsDialog(turn: Turn): Turn[] {
  return turn.role === 'system' ? [{ ...turn, role: 'user' }, fillerTurn('assistant')] : [turn]
}
