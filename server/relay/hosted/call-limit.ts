import { isRecord } from '../../../core/records.ts'
import type { Admitted } from '../admission/admission.ts'
import type { Conversation } from '../conversation/conversation.ts'
import { searchesOf } from '../conversation/searches.ts'
import { type Json, numberOf, objectsOf, wordOf } from '../json.ts'
import type { HostedTools } from './admit-hosted.ts'

/** Claude's tools that have a field for a call limit. */
const LIMITABLE = /^web_(search|fetch)_\d/

/** Adds a limit of the calls of hosted tools, if the client set none and the format has a field for a limit. */
export function withCallLimit<A extends Pick<Admitted, 'entry' | 'body' | 'raw' | 'hosted'>>(admitted: A): A {
  const { entry, body, hosted } = admitted
  // Free tools need no limit.
  if (!hosted?.isDefaultLimit || hosted.uses.every(({ calls, price }) => calls !== undefined || price === 0))
    return admitted
  const limitedBody = withLimit(body, { dialect: entry.dialect, limit: hosted.limit })
  if (limitedBody === body) return admitted
  const raw =
    insertLimit(admitted.raw, { before: body, after: limitedBody }) ?? Buffer.from(JSON.stringify(limitedBody))
  return { ...admitted, body: limitedBody, raw }
}

/** Limits the web searches of a conversation to the number that the hold covers. */
export function withSearchLimit(conversation: Conversation, hosted: HostedTools | undefined): Conversation {
  if (!hosted || !conversation.webSearch || hosted.uses.every(({ calls }) => calls !== undefined)) return conversation
  return { ...conversation, searchesMax: Math.min(searchesOf(conversation), hosted.limit) }
}

function withLimit(body: Readonly<Json>, { dialect, limit }: { dialect: string; limit: number }): Readonly<Json> {
  if (dialect === 'openai-responses') return { ...body, max_tool_calls: limit }
  if (dialect !== 'anthropic-messages' || !objectsOf(body.tools).some(isUnlimited)) return body
  const tools = (body.tools as unknown[]).map((tool) =>
    isRecord(tool) && isUnlimited(tool) ? { ...tool, max_uses: limit } : tool,
  )
  return { ...body, tools }
}

/** Whether a tool has no valid limit, which the hold could use. */
const isUnlimited = ({ type, max_uses }: Json): boolean =>
  LIMITABLE.test(wordOf(type)) && !((numberOf(max_uses) ?? 0) > 0)

/**
 * Inserts a new `max_tool_calls` as the first field, so that all other bytes stay the same. Returns undefined if
 * another field changed instead.
 */
function insertLimit(
  raw: Buffer,
  { before, after }: { before: Readonly<Json>; after: Readonly<Json> },
): Buffer | undefined {
  if ('max_tool_calls' in before || after.max_tool_calls === undefined) return undefined
  const inside = raw.indexOf('{') + 1
  const member = Buffer.from(`"max_tool_calls":${after.max_tool_calls},`)
  return Buffer.concat([raw.subarray(0, inside), member, raw.subarray(inside)])
}
