import { refuseFeatures } from '../conversation/client-fields.ts'
import type { Conversation, Part, Turn } from '../conversation/conversation.ts'
import { refuse } from '../dialects/refuse.ts'
import { type Json, objectOf, objectsOf, textOf, wordOf } from '../json.ts'
import { chatBody } from './openai/chat-body.ts'

/*
 * For formats that have little more than text: the conversation must fit, or the request is rejected with the field's name.
 */

/** Filler text of a turn that the format requires but the conversation lacks. */
export const FILLER_TEXT = 'Okay'

/** Returns the text of parts, tool results included. Throws REQUEST_MALFORMED for media. */
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
    // Reasoning is not sent back; callers write calls to their own field.
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

/** Throws REQUEST_MALFORMED if the client requests a reply that cannot be one plain text. */
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
 * Returns the functions to send in formats that have no tool choice: none if calls are forbidden, only the named ones if the
 * choice names some. Each has a schema.
 */
export function offeredFunctions({ tools, toolChoice }: Pick<Conversation, 'tools' | 'toolChoice'>): OfferedFunction[] {
  const { mode, names } = toolChoice ?? {}
  const offered = mode === 'none' ? [] : tools.filter(({ name }) => names === undefined || names.includes(name))
  const wire = chatBody({ turns: [], tools: offered, extras: {} }, { model: '', stream: false }).tools
  return objectsOf(wire).flatMap(({ function: called }) => {
    const { name, description, parameters } = objectOf(called)
    if (typeof name !== 'string') return []
    return [{ name, description: textOf(description), parameters: objectOf(parameters) }]
  })
}

export interface OfferedFunction {
  readonly name: string
  readonly description: string | undefined
  readonly parameters: Json
}

/** Returns up to `max` stop sequences that are not blank. */
export function stopsOf(stop: readonly string[] | undefined, max: number): string[] | undefined {
  const sequences = stop?.filter((sequence) => sequence.trim() !== '').slice(0, max)
  return sequences?.length ? sequences : undefined
}

/** Clamps a number; absent stays absent. */
export function clamp(value: number | undefined, [min, max]: readonly [number, number]): number | undefined {
  return value === undefined ? undefined : Math.min(Math.max(value, min), max)
}

/** For formats whose first turn must be the user's: inserts a neutral turn before a first assistant turn. */
export function beginningWithUser(turns: readonly Turn[]): readonly Turn[] {
  return turns[0]?.role === 'assistant' ? [fillerTurn('user'), ...turns] : turns
}

export function fillerTurn(role: Turn['role']): Turn {
  return { role, parts: [{ kind: 'text', text: FILLER_TEXT }] }
}

/** For formats without a system role: the user says the instruction, and the assistant agrees. */
export function systemAsDialog(turn: Turn): Turn[] {
  return turn.role === 'system' ? [{ ...turn, role: 'user' }, fillerTurn('assistant')] : [turn]
}
