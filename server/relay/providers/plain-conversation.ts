import { refuseFeatures } from '../conversation/client-fields.ts'
import type { Conversation, Part, Turn } from '../conversation/conversation.ts'
import { refuse } from '../dialects/refuse.ts'
import { type Json, objectOf, objectsOf, textOf, wordOf } from '../json.ts'
import { chatBody } from './openai/chat-body.ts'

/*
 * For formats that know little more than texts: what is said to them must fit, or be refused with the field's name.
 */

/** Said where a format needs somebody's turn and nobody has one. */
export const OKAY = 'Okay'

/** The texts of parts, results of tools included. Throws REQUEST_MALFORMED for what only eyes or ears can read. */
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
    // A thought is the model's own, and a call is written where calls are.
    case 'reasoning':
    case 'call':
      return []
    case 'file':
      if ('text' in part.media) return [part.media.text]
      break
  }
  const named = part.kind === 'other' ? wordOf(part.part.type) : part.kind
  return refuse(`messages: this model reads texts only, not a part of type ${named}; send its content as text`)
}

/** Throws REQUEST_MALFORMED for a reply that a format with one free text in it cannot give. */
export function checkPlainReply(
  conversation: Pick<Conversation, 'client' | 'choices' | 'modalities' | 'logprobs' | 'format'>,
): void {
  refuseFeatures(conversation, ['choices', 'modalities', 'logprobs'])
  const { format } = conversation
  if (format?.kind === 'schema') {
    refuse('response_format: this model takes no JSON schema; describe the JSON in the prompt, and ask for json_object')
  }
}

/**
 * The functions that a model may call, for formats in which nothing forces a call: forbidden ones are not offered, and of a
 * choice of names only these are. Each has a schema.
 */
export function offeredFunctions({ tools, toolChoice }: Pick<Conversation, 'tools' | 'toolChoice'>): OfferedFunction[] {
  const { mode, names } = toolChoice ?? {}
  const wanted = mode === 'none' ? [] : tools.filter(({ name }) => names === undefined || names.includes(name))
  const wire = chatBody({ turns: [], tools: wanted, extras: {} }, { model: '', stream: false }).tools
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

/** Sequences that are not blank, no more than `max`. */
export function stopsOf(stop: readonly string[] | undefined, max: number): string[] | undefined {
  const kept = stop?.filter((sequence) => sequence.trim() !== '').slice(0, max)
  return kept?.length ? kept : undefined
}

/** A number held between bounds; absent stays absent. */
export function within(value: number | undefined, [min, max]: readonly [number, number]): number | undefined {
  return value === undefined ? undefined : Math.min(Math.max(value, min), max)
}

/** For formats that begin with a user: a neutral turn in front of what an assistant says first. */
export function beginningWithUser(turns: readonly Turn[]): readonly Turn[] {
  return turns[0]?.role === 'assistant' ? [sayOkay('user'), ...turns] : turns
}

export function sayOkay(role: Turn['role']): Turn {
  return { role, parts: [{ kind: 'text', text: OKAY }] }
}

/** For formats without a system: an instruction is what the user says, and the assistant agrees. */
export function acknowledged(turn: Turn): Turn[] {
  return turn.role === 'system' ? [{ ...turn, role: 'user' }, sayOkay('assistant')] : [turn]
}
