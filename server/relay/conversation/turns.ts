import { parseObject } from '../json.ts'
import type { CallPart, Part, ResultPart, Turn } from './conversation.ts'

/** The beginning of a conversation that is nothing but instructions, and what follows. */
export function splitSystem(turns: readonly Turn[]): { system: readonly Turn[]; rest: readonly Turn[] } {
  const first = turns.findIndex(({ role }) => role !== 'system')
  const at = first < 0 ? turns.length : first
  return { system: turns.slice(0, at), rest: turns.slice(at) }
}

/** All texts of parts, joined. */
export function textOfParts(parts: readonly Part[], separator = ''): string {
  return parts.flatMap((part) => (part.kind === 'text' || part.kind === 'refusal' ? [part.text] : [])).join(separator)
}

/** Consecutive turns of one role as one turn, for formats whose roles must alternate. */
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

/** Without empty texts, and without turns that have nothing else in them. */
export function withoutBlanks(turns: readonly Turn[]): Turn[] {
  return turns
    .map((turn) => ({ ...turn, parts: turn.parts.filter((part) => part.kind !== 'text' || part.text !== '') }))
    .filter(({ parts }) => parts.length > 0)
}

/** System turns amid a conversation, as what the user says: never as the assistant's words. */
export function systemAsUser(turns: readonly Turn[]): Turn[] {
  return turns.map((turn) => (turn.role === 'system' ? { ...turn, role: 'user' } : turn))
}

const NO_RESULT = '(no result)'

/**
 * Each call of an assistant's turn gets its result in the very next turn, in the order of the calls and before anything
 * else there: formats that pair calls and results by place refuse anything else. A result that is missing is an error
 * result; one that answers no call becomes text. Turns are merged first.
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
      // The results of the calls just before stand in this turn already.
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

/** Results in this turn that no call of the whole conversation asked for. */
function orphanTexts(turn: Turn, turns: readonly Turn[]): Part[] {
  const ids = new Set(
    turns
      .flatMap(({ role, parts }) => (role === 'assistant' ? parts : []))
      .flatMap((part) => (part.kind === 'call' ? [part.id] : [])),
  )
  return turn.parts.flatMap((part) => (part.kind === 'result' && !ids.has(part.callId) ? part.parts : []))
}

/** The arguments of a call as an object: none are `{}`. Undefined: they are no JSON object. */
export function argumentsOf({ arguments: text }: Pick<CallPart, 'arguments'>): Record<string, unknown> | undefined {
  return text.trim() === '' ? {} : parseObject(text)
}
