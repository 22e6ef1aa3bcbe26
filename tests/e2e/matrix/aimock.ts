import { Agent, request as httpRequest } from 'node:http'
import { type Fixture, LLMock } from '@copilotkit/aimock'
import { onTestFinished } from 'vitest'
import { COMPLETION_TOKENS, ERROR_TEXT, FEATURES, type Feature, MEANT, PROMPT_TOKENS, promptOf } from './meant.ts'
import type { Call, StandIn } from './mock-upstreams.ts'

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
const CHUNK_LENGTH = 12
/** Without a pause between chunks nothing would leave this mock before it hangs up. */
const BROKEN = { truncateAfterChunks: 10, chunkSize: 4, latency: 1 }

function fixtureOf(feature: Feature): Fixture {
  const match = { userMessage: promptOf(feature) }
  if (feature === 'error') {
    return { match, response: { error: { message: ERROR_TEXT, type: 'server_error', code: 'teapot' }, status: 500 } }
  }
  const { text, reasoning, calls } = MEANT[feature]
  const chunks = feature === 'mid-stream break' ? BROKEN : { chunkSize: CHUNK_LENGTH }
  const reply = { ...(reasoning && { reasoning }), usage: USAGE }
  if (calls) {
    const toolCalls = calls.map(({ name, args }, at) => ({ id: `call_${at}`, name, arguments: JSON.stringify(args) }))
    return { match, response: { toolCalls, ...reply }, ...chunks }
  }
  return { match, response: { content: text ?? '', ...reply }, ...chunks }
}

/** The ready-made mock of many vendors; answers what hands requests on to it, as they came or at another path. */
export async function startAimock(): Promise<(path?: string) => StandIn> {
  const mock = new LLMock({ port: 0 })
  await mock.start()
  onTestFinished(() => mock.stop())
  mock.addFixtures(FEATURES.map(fixtureOf))
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
  return (path) => (call) => forward(call, { to: mock.url + (path ?? call.path), agent })
}

/** Its own journal has requests in one form for all vendors, in which much is lost: so the bytes pass by here. */
function forward({ method, headers, raw, query, response }: Call, { to, agent }: { to: string; agent: Agent }): void {
  const search = query.size ? `?${query}` : ''
  const onward = httpRequest(to + search, { method, headers, agent }, (answer) => {
    response.writeHead(answer.statusCode ?? 500, answer.headers)
    // What was said until then goes out first.
    answer.on('error', () => setImmediate(() => response.destroy()))
    answer.pipe(response)
  })
  onward.on('error', () => response.destroy())
  onward.end(raw)
}
