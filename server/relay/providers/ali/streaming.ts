import type { ProviderRequest } from '../provider.ts'

/** Matches models that always require a stream. */
const STREAM_ONLY_MODEL = /^(qwq|qvq)|^qwen3-.*-thinking/
/** Matches open models that think by default, and require a stream while they think. */
const OPEN_THINKING_MODEL = /^qwen3-[\d.]+b(-a\d+b)?$/

/**
 * Adapts a request without streaming to models that require a stream. Requests a stream, from which the gateway builds
 * the whole reply. Disables thinking instead, if the client does not request thinking and only thinking needs a stream.
 * https://help.aliyun.com/zh/model-studio/deep-thinking
 */
export function adaptStreamOnlyModel(ask: ProviderRequest): ProviderRequest {
  if (ask.stream || ask.dialect === 'openai-completions') return ask
  if (STREAM_ONLY_MODEL.test(ask.model)) return withFields(ask, { stream: true })
  if (!OPEN_THINKING_MODEL.test(ask.model)) return ask
  const wantsThinking = wantsThoughts(ask)
  if (wantsThinking === undefined) return withFields(ask, { enable_thinking: false })
  return wantsThinking ? withFields(ask, { stream: true }) : ask
}

/** Whether the client requests thinking. Undefined if the request does not specify this. */
function wantsThoughts(ask: ProviderRequest): boolean | undefined {
  const { extras, reasoning: { effort, budget } = {} } = ask.conversation()
  if (typeof extras.enable_thinking === 'boolean') return extras.enable_thinking
  if (effort === undefined && budget === undefined) return undefined
  return effort !== 'none' && budget !== 0
}

function withFields(ask: ProviderRequest, fields: { stream?: true; enable_thinking?: false }): ProviderRequest {
  const body = { ...ask.body, ...fields }
  const { stream = ask.stream, ...extras } = fields
  return {
    ...ask,
    stream,
    body,
    raw: Buffer.from(JSON.stringify(body)),
    conversation() {
      const conversation = ask.conversation()
      return { ...conversation, extras: { ...conversation.extras, ...extras } }
    },
  }
}
