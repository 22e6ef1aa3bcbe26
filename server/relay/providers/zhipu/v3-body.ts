import type { Conversation } from '../../conversation/conversation.ts'
import { mergeTurns } from '../../conversation/turns.ts'
import { refuse } from '../../dialects/refuse.ts'
import { defined } from '../../json.ts'
import { checkPlainReply, FILLER_TEXT, plainText, systemAsDialog } from '../plain-conversation.ts'

const TOP_P_MAX = 0.99

/**
 * Returns the body for Zhipu's API v3. Throws REQUEST_MALFORMED for content other than text, for tools, and like
 * `checkPlainReply`. https://open.bigmodel.cn/dev/api
 */
export function zhipuV3Body(conversation: Conversation, { stream }: { stream: boolean }): Record<string, unknown> {
  checkPlainReply(conversation)
  if (conversation.tools.length > 0) refuse('tools: this model calls no tools; ask without them')
  const { topP, temperature, turns } = conversation
  return defined({
    prompt: mergeTurns(turns.flatMap(systemAsDialog)).map(({ role, parts }) => ({
      role,
      content: plainText(parts) || FILLER_TEXT,
    })),
    temperature,
    top_p: topP === undefined ? undefined : Math.min(topP, TOP_P_MAX),
    incremental: stream ? true : undefined,
  })
}
