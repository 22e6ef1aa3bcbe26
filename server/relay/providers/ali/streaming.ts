import type { ProviderRequest } from '../provider.ts'

/** Matches models that only stream. */
const STREAMS_ONLY = /^(qwq|qvq)|^qwen3-.*-thinking/
/** Matches open models that think by default. If they think, they only stream. */
const OPEN_HYBRID = /^qwen3-[\d.]+b(-a\d+b)?$/

/**
 * Adapts a request without streaming to models that may only stream. Requests a stream, from which the gateway builds
 * the whole reply. Or disables thinking, if the model only needs to stream while it thinks.
 * https://help.aliyun.com/zh/model-studio/deep-thinking
 */
export function adaptStreamOnlyModel(ask: ProviderRequest): ProviderRequest {
  if (ask.stream || ask.dialect === 'openai-completions') return ask
  if (STREAMS_ONLY.test(ask.model)) return withFields(ask, { stream: true })
  if (!OPEN_HYBRID.test(ask.model)) return ask
  const wantsThinking = wantsThoughts(ask)
  if (wantsThinking === undefined) return withFields(ask, { enable_thinking: false })
  return wantsThinking ? withFields(ask, { stream: true }) : ask
}

/** Whether the client requests thinking. Undefined if the request does not say. */
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
