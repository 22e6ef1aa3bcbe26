import { isRecord } from '../../../core/records.ts'
import type { CacheMark, Part } from './conversation.ts'

/** Returns the client's cache mark of a part, message or tool, as a property to spread. */
export function cacheOf({ cache_control }: { readonly cache_control?: unknown }): { cache?: CacheMark } {
  return isRecord(cache_control) ? { cache: cache_control } : {}
}

/** Adds the mark of a message or block to its last part, unless this part has a mark or cannot have one. */
export function withCacheMark(parts: readonly Part[], { cache }: { cache?: CacheMark }): Part[] {
  const last = parts.at(-1)
  if (!cache || !last || !isMarkable(last)) return [...parts]
  return [...parts.slice(0, -1), { cache, ...last }]
}

/** Returns the mark of a tool result. If the result has no mark, returns the last mark in its contents. */
export function markOfResult({ cache }: { cache?: CacheMark }, contents: readonly Part[]): CacheMark | undefined {
  const marks = contents.filter(isMarkable).map((part) => part.cache)
  return cache ?? marks.findLast((mark) => mark !== undefined)
}

function isMarkable(part: Part): part is Extract<Part, { readonly cache?: CacheMark }> {
  return ['text', 'image', 'file', 'call', 'result'].includes(part.kind)
}
