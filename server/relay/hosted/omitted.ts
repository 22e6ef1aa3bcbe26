import type { LiveChannel } from '../../../core/channels/directory.ts'
import type { DialectName } from '../../../core/channels/operations.ts'
import type { Conversation } from '../conversation/conversation.ts'
import { refuse } from '../dialects/refuse.ts'

/** Names the tools of a request that its upstream does not have: `tools[3].web_search, tools[4].image_generation`. */
export const OMITTED_HEADER = 'tollgate-omitted'

/** Families whose providers translate a wish for a web search. */
const SEARCHING_FAMILIES = new Set<string>(['anthropic', 'gemini', 'vertex', 'tencent', 'qianfan'])
/** OpenAI's chat models that search. Others reject `web_search_options`. */
const SEARCHING_MODEL = /-search-(preview|api)/

/** Returns the formats that a channel's upstream speaks. */
export function dialectsOf({ type, settings, baseUrl }: LiveChannel): readonly DialectName[] {
  const elsewhere = baseUrl === type.baseUrl ? undefined : type.dialectsElsewhere
  return settings.dialects ?? elsewhere ?? type.dialects
}

/** Whether a channel's upstream can search the web for a request that is translated for it. */
export function searchesWeb(channel: LiveChannel, upstreamModel = ''): boolean {
  const { family, quirks } = channel.type
  if (SEARCHING_FAMILIES.has(family ?? '') || quirks?.webSearch === true || SEARCHING_MODEL.test(upstreamModel))
    return true
  const spoken = dialectsOf(channel)
  return !spoken.includes('openai-chat') && spoken.includes('anthropic-messages')
}

/**
 * Returns the conversation without a web search that the upstream lacks, if its client allows that. Throws REQUEST_MALFORMED
 * if a tool must be called and no other is left.
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
