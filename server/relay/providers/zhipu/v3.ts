import { parseObject } from '../../../../core/input.ts'
import { defined } from '../../../../core/records.ts'
import type { Conversation } from '../../conversation/conversation.ts'
import { mergeTurns } from '../../conversation/turns.ts'
import { refuse } from '../../dialects/refuse.ts'
import { readFailure } from '../failure.ts'
import { checkPlainReply, FILLER_TEXT, plainText, systemAsDialog } from '../plain-conversation.ts'
import { unsupported } from '../plan-errors.ts'
import type { Failure, Provider } from '../provider.ts'
import { vendorFailureOf } from '../vendor-error.ts'
import { zhipuError } from './errors.ts'
import { zhipuToken } from './token.ts'
import { zhipuV3Reader } from './v3-reader.ts'

/** Zhipu's API v3, which the vendor has retired: https://open.bigmodel.cn/dev/api */
export const zhipuV3: Provider = {
  failure: zhipuFailure,
  plan(ask, channel, context) {
    if (ask.operation !== 'chat') unsupported(`${ask.operation} is not served by Zhipu's API v3`)
    const method = ask.stream ? 'sse-invoke' : 'invoke'
    return {
      request: {
        url: `${channel.baseUrl}/api/paas/v3/model-api/${encodeURIComponent(ask.model)}/${method}`,
        headers: {
          'content-type': 'application/json',
          accept: ask.stream ? 'text/event-stream' : 'application/json',
          authorization: zhipuToken(channel.key, context.now()),
        },
        body: JSON.stringify(zhipuV3Body(ask.conversation(), { stream: ask.stream })),
      },
      reader: zhipuV3Reader(),
      readsNonJsonEvents: true,
    }
  },
}

/**
 * Reads an error response by Zhipu's code, because several codes share a status. An account without money (1113) has
 * the status of a rate limit, 429.
 */
export function zhipuFailure(status: number, body: string): Failure {
  const error = zhipuError(parseObject(body) ?? {})
  return error?.kind ? vendorFailureOf(status, error) : readFailure(status, body)
}

const TOP_P_MAX = 0.99

/**
 * Returns the body for Zhipu's API v3. Throws REQUEST_MALFORMED for tools, and the errors of `plainText` and
 * `checkPlainReply`. https://open.bigmodel.cn/dev/api
 */
function zhipuV3Body(conversation: Conversation, { stream }: { stream: boolean }): Record<string, unknown> {
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
