import type { Usage } from '../../../../core/pricing/prices.ts'
import { isRecord } from '../../../../core/records.ts'
import type { StopReason } from '../../conversation/conversation.ts'
import { arrayOf } from '../../json.ts'
import type { ReplyContext } from '../dialect.ts'

/** Reasons of incomplete replies: https://platform.openai.com/docs/api-reference/responses/object#incomplete_details */
export const INCOMPLETE_REASONS: Partial<Record<StopReason, string>> = {
  length: 'max_output_tokens',
  filter: 'content_filter',
}

interface ResponseState {
  readonly id: string
  readonly status: 'in_progress' | 'completed' | 'incomplete' | 'failed'
  readonly output: readonly Record<string, unknown>[]
  readonly usage: Usage | undefined
  readonly reason?: string | undefined
  readonly error?: { code: string; message: string }
}

/**
 * Returns a response object with all fields that strict clients require, including the settings of the request.
 * https://platform.openai.com/docs/api-reference/responses/object
 */
export function responseObject(
  {
    body,
    model,
    created,
    continuedFrom,
    store,
  }: Pick<ReplyContext, 'body' | 'model' | 'created' | 'continuedFrom' | 'store'>,
  { id, status, output, usage, reason, error }: ResponseState,
): Record<string, unknown> {
  return {
    id,
    object: 'response',
    created_at: created,
    status,
    background: false,
    completed_at: status === 'completed' ? Math.max(created, Math.floor(Date.now() / 1000)) : null,
    error: error ?? null,
    incomplete_details: reason ? { reason } : null,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    max_tool_calls: body.max_tool_calls ?? null,
    metadata: body.metadata ?? {},
    model,
    output,
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: continuedFrom?.previousId ?? null,
    ...(continuedFrom?.conversationId !== undefined && { conversation: { id: continuedFrom.conversationId } }),
    prompt_cache_key: body.prompt_cache_key ?? null,
    reasoning: { effort: null, summary: null, ...(isRecord(body.reasoning) && body.reasoning) },
    safety_identifier: body.safety_identifier ?? null,
    service_tier: body.service_tier ?? 'auto',
    store: store !== undefined,
    temperature: body.temperature ?? 1,
    text: { format: { type: 'text' }, ...(isRecord(body.text) && body.text) },
    tool_choice: body.tool_choice ?? 'auto',
    tools: arrayOf(body.tools).map(echoedTool),
    top_logprobs: body.top_logprobs ?? 0,
    top_p: body.top_p ?? 1,
    truncation: body.truncation ?? 'disabled',
    usage: usage ? toResponseUsage(usage) : null,
    ...(typeof body.user === 'string' && { user: body.user }),
  }
}

/** Returns the client's tool. For functions, adds the fields that clients require. */
function echoedTool(tool: unknown): unknown {
  return isRecord(tool) && tool.type === 'function' ? { parameters: null, strict: null, ...tool } : tool
}

/**
 * Returns usage in the format of the Responses API. Always includes both `details` fields, because several clients fail
 * without them.
 */
export function toResponseUsage(usage: Usage): Record<string, unknown> {
  const { promptTokens, completionTokens, cachedTokens, cacheWriteTokens, reasoningTokens } = usage
  return {
    input_tokens: promptTokens,
    input_tokens_details: { cached_tokens: cachedTokens, cache_write_tokens: cacheWriteTokens },
    output_tokens: completionTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: promptTokens + completionTokens,
  }
}
