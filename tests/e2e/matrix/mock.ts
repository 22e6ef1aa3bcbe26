import { type Fixture, LLMock } from '@copilotkit/aimock'
import { onTestFinished } from 'vitest'
import { COMPLETION_TOKENS, ERROR_TEXT, FEATURES, type Feature, MEANT, PROMPT_TOKENS, promptOf } from './meant.ts'

/** Each vendor's names for the same counts: every format takes those it knows. */
const USAGE = {
  prompt_tokens: PROMPT_TOKENS,
  completion_tokens: COMPLETION_TOKENS,
  total_tokens: PROMPT_TOKENS + COMPLETION_TOKENS,
  input_tokens: PROMPT_TOKENS,
  output_tokens: COMPLETION_TOKENS,
  promptTokenCount: PROMPT_TOKENS,
  candidatesTokenCount: COMPLETION_TOKENS,
  totalTokenCount: PROMPT_TOKENS + COMPLETION_TOKENS,
}

function fixtureOf(feature: Feature): Fixture {
  const match = { userMessage: promptOf(feature) }
  if (feature === 'error') {
    return { match, response: { error: { message: ERROR_TEXT, type: 'server_error', code: 'teapot' }, status: 500 } }
  }
  const { text, reasoning, calls } = MEANT[feature]
  const broken = feature === 'mid-stream break' ? { truncateAfterChunks: 6, chunkSize: 5 } : { chunkSize: 4 }
  const said = { ...(reasoning && { reasoning }), usage: USAGE }
  if (calls) {
    const toolCalls = calls.map(({ name, args }, at) => ({ id: `call_${at}`, name, arguments: JSON.stringify(args) }))
    return { match, response: { toolCalls, ...said }, ...broken }
  }
  return { match, response: { content: text ?? '', ...said }, ...broken }
}

/** Every vendor's format on one port, saying what is meant. */
export async function startMock(): Promise<LLMock> {
  const mock = new LLMock({ port: 0 })
  await mock.start()
  onTestFinished(() => mock.stop())
  mock.addFixtures(FEATURES.map(fixtureOf))
  return mock
}
