import type { RelayEntry } from '../admission/entry.ts'
import { MESSAGES_PATH, messagesEntry } from './anthropic.ts'
import { geminiEntry, isGeminiPath } from './gemini.ts'
import { OPENAI_ROUTES } from './openai.ts'

const BY_PATH: ReadonlyMap<string, RelayEntry> = new Map([
  // Responses are missing, because they may continue stored responses, which only their Fastify route loads.
  ...OPENAI_ROUTES.filter(([, { dialect }]) => dialect !== 'openai-responses').map(
    ([path, entry]) => [path, entry] as const,
  ),
  [MESSAGES_PATH, messagesEntry],
])

/** Returns the entry for a POST to a URL, or undefined if no relay has exactly this path. */
export function relayEntryOf(url: string): RelayEntry | undefined {
  const mark = url.indexOf('?')
  const path = mark < 0 ? url : url.slice(0, mark)
  // Paths with double slashes go to Fastify's routes, which remove double slashes.
  return BY_PATH.get(path) ?? (isGeminiPath(path) && !path.includes('//') ? geminiEntry(url) : undefined)
}
