import type { Entry } from '../admission/entry.ts'
import { MESSAGES_PATH, messagesEntry } from './anthropic.ts'
import { geminiEntry, isGeminiPath } from './gemini.ts'
import { OPENAI_ROUTES } from './openai.ts'

const BY_PATH: ReadonlyMap<string, Entry> = new Map([
  // Responses may go on from stored ones, which their route prepares.
  ...OPENAI_ROUTES.filter(([, { dialect }]) => dialect !== 'openai-responses').map(
    ([path, entry]) => [path, entry] as const,
  ),
  [MESSAGES_PATH, messagesEntry],
])

/** Returns what a POST to this URL asks for; undefined if no relay has exactly this path, as the routes write it. */
export function entryOf(url: string): Entry | undefined {
  const mark = url.indexOf('?')
  const path = mark < 0 ? url : url.slice(0, mark)
  // Doubled slashes become single ones on the way to the routes.
  return BY_PATH.get(path) ?? (isGeminiPath(path) && !path.includes('//') ? geminiEntry(url) : undefined)
}
