import type { Entry } from '../admission/entry.ts'
import { MESSAGES_PATH, messagesEntry } from './anthropic.ts'
import { geminiEntry, isGeminiPath } from './gemini.ts'
import { OPENAI_ROUTES } from './openai.ts'

const BY_PATH: ReadonlyMap<string, Entry> = new Map([
  // Responses may continue stored ones, which only their route can load.
  ...OPENAI_ROUTES.filter(([, { dialect }]) => dialect !== 'openai-responses').map(
    ([path, entry]) => [path, entry] as const,
  ),
  [MESSAGES_PATH, messagesEntry],
])

/** Returns the entry of a POST to this URL; undefined if no relay has exactly this path. */
export function entryOf(url: string): Entry | undefined {
  const mark = url.indexOf('?')
  const path = mark < 0 ? url : url.slice(0, mark)
  // Doubled slashes are removed only on the way to the routes.
  return BY_PATH.get(path) ?? (isGeminiPath(path) && !path.includes('//') ? geminiEntry(url) : undefined)
}
