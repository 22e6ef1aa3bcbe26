import type { LiveChannel } from '../../../core/channels/routing/directory.ts'
import type { DialectName } from '../../../core/channels/routing/operations.ts'
import type { Conversation } from '../conversation/conversation.ts'
import { refuse } from '../dialects/refuse.ts'

/**
 * Response header with the requested tools that the gateway did not forward, because the upstream does not support
 * them, such as `tools[3].web_search, tools[4].image_generation`.
 */
export const OMITTED_HEADER = 'tollgate-omitted'
/** Maximum number of names in the header, because some clients accept only 8 KB of headers. */
const OMITTED_MAX = 64

/** Returns the value of `OMITTED_HEADER`. */
export const omittedValue = (names: readonly string[]): string => names.slice(0, OMITTED_MAX).join(', ')

/** Families whose providers can request a web search for any model. */
const SEARCHING_FAMILIES = new Set<string>(['anthropic', 'gemini', 'vertex', 'tencent', 'qianfan'])
/** Matches OpenAI's chat models that always search the web. Its other chat models reject `web_search_options`. */
export const SEARCHING_MODEL = /-search-(preview|api)/

/** Returns the formats that a channel's upstream supports. */
export function dialectsOf({ type, settings, baseUrl }: LiveChannel): readonly DialectName[] {
  const elsewhere = baseUrl === type.baseUrl ? undefined : type.dialectsElsewhere
  return settings.dialects ?? elsewhere ?? type.dialects
}

/** Whether a channel's upstream can search the web for a translated request. */
export function searchesWeb(channel: LiveChannel, upstreamModel = ''): boolean {
  const { family, quirks } = channel.type
  if (SEARCHING_FAMILIES.has(family ?? '') || quirks?.webSearch === true || SEARCHING_MODEL.test(upstreamModel))
    return true
  const dialects = dialectsOf(channel)
  return !dialects.includes('openai-chat') && dialects.includes('anthropic-messages')
}

/**
 * Removes a web search that the upstream does not support, and lists its field as omitted. Without `webSearchField`,
 * changes nothing. Throws REQUEST_MALFORMED if the client requires a tool call and no other tool remains.
 */
export function withoutMissingSearch(
  conversation: Conversation,
  channel: LiveChannel,
  upstreamModel: string,
): Conversation {
  const { webSearch, webSearchField, omitted = [], ...rest } = conversation
  if (!webSearch || webSearchField === undefined || searchesWeb(channel, upstreamModel)) return conversation
  if (rest.toolChoice?.mode === 'required' && rest.tools.length === 0)
    refuse(
      `tool_choice required demands ${webSearchField}, which this model does not have: use auto, or add a function`,
    )
  return { ...rest, omitted: [...omitted, webSearchField] }
}
