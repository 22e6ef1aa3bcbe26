import { parseObject } from '../../../core/input.ts'
import type { CallPart, Part, ResultPart, Turn } from './conversation.ts'

/** Splits off the system turns at the beginning. Later system turns stay in `rest`. */
export function splitSystem(turns: readonly Turn[]): { system: readonly Turn[]; rest: readonly Turn[] } {
  const first = turns.findIndex(({ role }) => role !== 'system')
  const at = first < 0 ? turns.length : first
  return { system: turns.slice(0, at), rest: turns.slice(at) }
}

/** Joins the texts and refusals in parts. Ignores all other parts. */
export function textOfParts(parts: readonly Part[], separator = ''): string {
  return parts.flatMap((part) => (part.kind === 'text' || part.kind === 'refusal' ? [part.text] : [])).join(separator)
}

/** Merges consecutive turns of one role, for formats whose roles must alternate. */
export function mergeTurns(turns: readonly Turn[]): Turn[] {
  const out: Turn[] = []
  for (const turn of turns) {
    const last = out.at(-1)
    if (last && last.role === turn.role)
      out[out.length - 1] = { ...last, ...turn, parts: [...last.parts, ...turn.parts] }
    else out.push(turn)
  }
  return out
}

/** Removes empty text parts, then turns without parts. */
export function withoutBlanks(turns: readonly Turn[]): Turn[] {
  return turns
    .map((turn) => ({ ...turn, parts: turn.parts.filter((part) => part.kind !== 'text' || part.text !== '') }))
    .filter(({ parts }) => parts.length > 0)
}

/** Converts system turns to user turns, because assistant turns would look like the model's own output. */
export function systemAsUser(turns: readonly Turn[]): Turn[] {
  return turns.map((turn) => (turn.role === 'system' ? { ...turn, role: 'user' } : turn))
}

const NO_RESULT = '(no result)'

/**
 * Merges consecutive turns of one role. Then moves the results of a turn's calls to the start of the next turn, in the
 * order of the calls, for formats that pair calls and results by position. A call without a result gets an error
 * result. A result without a call is replaced by its content.
 */
export function pairResults(turns: readonly Turn[]): Turn[] {
  const results = new Map<string, ResultPart[]>()
  for (const part of turns.flatMap(({ parts }) => parts)) {
    if (part.kind === 'result') results.set(part.callId, [...(results.get(part.callId) ?? []), part])
  }
  const out: Turn[] = []
  const mergedTurns = mergeTurns(turns)
  for (const turn of mergedTurns) {
    const calls = turn.role === 'assistant' ? turn.parts.filter((part) => part.kind === 'call') : []
    const previous = out.at(-1)
    const otherParts = turn.parts.filter((part) => part.kind !== 'result')
    const orphans = turn.role === 'assistant' ? [] : partsOfOrphans(turn, mergedTurns)
    if (otherParts.length + orphans.length > 0) {
      // If the previous turn contains the results of the preceding calls, it has the same role. So merge both turns.
      if (previous?.role === turn.role)
        out[out.length - 1] = { ...turn, parts: [...previous.parts, ...orphans, ...otherParts] }
      else out.push({ ...turn, parts: [...orphans, ...otherParts] })
    }
    if (calls.length) out.push({ role: 'user', parts: calls.map((call) => takeResult(results, call)) })
  }
  return out
}

function takeResult(results: Map<string, ResultPart[]>, { id, name }: CallPart): ResultPart {
  const result = results.get(id)?.shift()
  if (result) return { ...result, name: result.name ?? name }
  return { kind: 'result', callId: id, name, parts: [{ kind: 'text', text: NO_RESULT }], isError: true }
}

/** Returns the contents of results whose calls are not in the conversation. */
function partsOfOrphans(turn: Turn, turns: readonly Turn[]): Part[] {
  const ids = new Set(
    turns
      .flatMap(({ role, parts }) => (role === 'assistant' ? parts : []))
      .flatMap((part) => (part.kind === 'call' ? [part.id] : [])),
  )
  return turn.parts.flatMap((part) => (part.kind === 'result' && !ids.has(part.callId) ? part.parts : []))
}

/** Returns the arguments of a call as an object, or `{}` if there are none. Undefined if they are not a JSON object. */
export function argumentsOf({ arguments: text }: Pick<CallPart, 'arguments'>): Record<string, unknown> | undefined {
  return text.trim() === '' ? {} : parseObject(text)
}

/**
 * Returns the arguments of a call as an object, for formats that accept only objects. The free text of a custom tool
 * becomes the property `input`. Invalid JSON becomes the property `arguments`, so that the model can see what it wrote.
 */
export function argumentsObject(call: Pick<CallPart, 'arguments' | 'custom'>): Record<string, unknown> {
  if (call.custom) return { input: call.arguments }
  return argumentsOf(call) ?? { arguments: call.arguments }
}
