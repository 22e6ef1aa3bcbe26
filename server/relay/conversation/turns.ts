import { parseObject } from '../json.ts'
import type { CallPart, Part, ResultPart, Turn } from './conversation.ts'

/** Splits a conversation into its leading system turns and the rest. */
export function splitSystem(turns: readonly Turn[]): { system: readonly Turn[]; rest: readonly Turn[] } {
  const first = turns.findIndex(({ role }) => role !== 'system')
  const at = first < 0 ? turns.length : first
  return { system: turns.slice(0, at), rest: turns.slice(at) }
}

/** Joins all texts of parts. */
export function textOfParts(parts: readonly Part[], separator = ''): string {
  return parts.flatMap((part) => (part.kind === 'text' || part.kind === 'refusal' ? [part.text] : [])).join(separator)
}

/** Merges consecutive turns of one role, for formats whose roles must alternate. */
export function merged(turns: readonly Turn[]): Turn[] {
  const out: Turn[] = []
  for (const turn of turns) {
    const last = out.at(-1)
    if (last && last.role === turn.role)
      out[out.length - 1] = { ...last, ...turn, parts: [...last.parts, ...turn.parts] }
    else out.push(turn)
  }
  return out
}

/** Removes empty texts, and turns that contain nothing else. */
export function withoutBlanks(turns: readonly Turn[]): Turn[] {
  return turns
    .map((turn) => ({ ...turn, parts: turn.parts.filter((part) => part.kind !== 'text' || part.text !== '') }))
    .filter(({ parts }) => parts.length > 0)
}

/** Converts system turns inside a conversation to user turns, never to the assistant's. */
export function systemAsUser(turns: readonly Turn[]): Turn[] {
  return turns.map((turn) => (turn.role === 'system' ? { ...turn, role: 'user' } : turn))
}

const NO_RESULT = '(no result)'

/**
 * Moves the result of each call to the turn right after it, in the order of the calls and before any other part, for formats
 * that pair calls and results by position. A missing result becomes an error result; a result without a call becomes text.
 * Merges turns first.
 */
export function pairedResults(turns: readonly Turn[]): Turn[] {
  const results = new Map<string, ResultPart[]>()
  for (const part of turns.flatMap(({ parts }) => parts)) {
    if (part.kind === 'result') results.set(part.callId, [...(results.get(part.callId) ?? []), part])
  }
  const out: Turn[] = []
  const kept = merged(turns)
  for (const [at, turn] of kept.entries()) {
    const calls = turn.role === 'assistant' ? turn.parts.filter((part) => part.kind === 'call') : []
    const before = out.at(-1)
    const rest = turn.parts.filter((part) => part.kind !== 'result')
    const orphans = turn.role === 'assistant' ? [] : orphanTexts(turn, kept)
    if (rest.length + orphans.length > 0) {
      // This turn already contains the results of the preceding calls.
      if (before?.role === turn.role) out[out.length - 1] = { ...turn, parts: [...before.parts, ...orphans, ...rest] }
      else out.push({ ...turn, parts: [...orphans, ...rest] })
    }
    if (calls.length) out.push({ role: 'user', parts: calls.map((call) => takeResult(results, call)) })
    if (at === kept.length - 1) break
  }
  return out
}

function takeResult(results: Map<string, ResultPart[]>, { id, name }: CallPart): ResultPart {
  const found = results.get(id)?.shift()
  if (found) return { ...found, name: found.name ?? name }
  return { kind: 'result', callId: id, name, parts: [{ kind: 'text', text: NO_RESULT }], isError: true }
}

/** Returns the parts of results in this turn that belong to no call of the conversation. */
function orphanTexts(turn: Turn, turns: readonly Turn[]): Part[] {
  const ids = new Set(
    turns
      .flatMap(({ role, parts }) => (role === 'assistant' ? parts : []))
      .flatMap((part) => (part.kind === 'call' ? [part.id] : [])),
  )
  return turn.parts.flatMap((part) => (part.kind === 'result' && !ids.has(part.callId) ? part.parts : []))
}

/** Returns the arguments of a call as an object, `{}` if there are none; undefined if they are not a JSON object. */
export function argumentsOf({ arguments: text }: Pick<CallPart, 'arguments'>): Record<string, unknown> | undefined {
  return text.trim() === '' ? {} : parseObject(text)
}
