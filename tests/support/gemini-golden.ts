import type { Json } from '../../server/relay/json.ts'

const rest = { modelVersion: 'm', responseId: 'r1' }
const candidate = (parts: object[], more: object = {}) => [{ content: { role: 'model', parts }, ...more, index: 0 }]

/** A reply with reasoning, text, two calls and cached input, as Gemini streams it. */
export const GOLDEN: readonly Json[] = [
  {
    candidates: candidate([{ text: 'Need the weather.', thought: true }]),
    usageMetadata: { promptTokenCount: 20, totalTokenCount: 24, thoughtsTokenCount: 4 },
    ...rest,
  },
  {
    candidates: candidate([{ text: 'Checking.' }]),
    usageMetadata: { promptTokenCount: 20, candidatesTokenCount: 2, totalTokenCount: 26, thoughtsTokenCount: 4 },
    ...rest,
  },
  {
    candidates: candidate([
      { functionCall: { id: 'call_a', name: 'get_weather', args: { city: 'Oslo' } }, thoughtSignature: 'c2ln' },
      { functionCall: { id: 'call_b', name: 'get_time', args: {} } },
    ]),
    ...rest,
  },
  {
    candidates: candidate([{ text: '' }], { finishReason: 'STOP' }),
    usageMetadata: {
      promptTokenCount: 20,
      candidatesTokenCount: 8,
      totalTokenCount: 32,
      thoughtsTokenCount: 4,
      cachedContentTokenCount: 8,
    },
    ...rest,
  },
]
