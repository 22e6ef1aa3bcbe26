import { lookup, wordOf } from '../json.ts'
import type { Conversation } from './conversation.ts'

/** By how much of the web a request wants, in the words of chat completions. */
const BY_SIZE: Record<string, number> = lookup({ low: 1, medium: 5, high: 10 })
const USUAL = 5

/** Returns how often a request may search that wants so much of the web. */
export function searchesOfSize(size: unknown): number {
  return BY_SIZE[wordOf(size)] ?? USUAL
}

/** Returns how often the web may be searched for a conversation. */
export function searchesOf({ webSearch, searchesMax }: Pick<Conversation, 'webSearch' | 'searchesMax'>): number {
  return searchesMax ?? searchesOfSize(webSearch?.search_context_size)
}
