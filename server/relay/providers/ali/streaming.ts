import type { Ask } from '../provider.ts'

/** Models that answer in streams alone. */
const STREAMS_ONLY = /^(qwq|qvq)|^qwen3-.*-thinking/
/** Open models that think unless they are told not to, and stream whenever they think. */
const OPEN_HYBRID = /^qwen3-[\d.]+b(-a\d+b)?$/

/**
 * A request for a whole reply, as these models can be asked for it: some are asked for a stream, which is put together
 * afterwards, and some must be told not to think. https://help.aliyun.com/zh/model-studio/deep-thinking
 */
export function asStreamed(ask: Ask): Ask {
  if (ask.stream || ask.dialect === 'openai-completions') return ask
  if (STREAMS_ONLY.test(ask.model)) return withFields(ask, { stream: true })
  if (!OPEN_HYBRID.test(ask.model)) return ask
  const thinks = wantsThoughts(ask)
  if (thinks === undefined) return withFields(ask, { enable_thinking: false })
  return thinks ? withFields(ask, { stream: true }) : ask
}

/** Undefined: the client did not say. */
function wantsThoughts(ask: Ask): boolean | undefined {
  const { extras, reasoning: { effort, budget } = {} } = ask.conversation()
  if (typeof extras.enable_thinking === 'boolean') return extras.enable_thinking
  if (effort === undefined && budget === undefined) return undefined
  return effort !== 'none' && budget !== 0
}

function withFields(ask: Ask, fields: { stream?: true; enable_thinking?: false }): Ask {
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
