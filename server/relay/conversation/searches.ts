import { lookup, wordOf } from '../json.ts'
import type { Conversation } from './conversation.ts'

/** Maximum number of searches by `search_context_size`, with the values of chat completions. */
const BY_SIZE: Record<string, number> = lookup({ low: 1, medium: 5, high: 10 })
const DEFAULT_SEARCHES = 5

export function searchesOfSize(size: unknown): number {
  return BY_SIZE[wordOf(size)] ?? DEFAULT_SEARCHES
}

export function searchesOf({ webSearch, searchesMax }: Pick<Conversation, 'webSearch' | 'searchesMax'>): number {
  return searchesMax ?? searchesOfSize(webSearch?.search_context_size)
}
