import { expect, test } from 'vitest'
import { expectExactBooks } from '../../../support/books.ts'
import { post } from '../../../support/chat.ts'
import { MODEL } from '../../../support/gateway.ts'
import {
  chunk,
  completion,
  type Exchange,
  sendJson,
  sendStream,
  usage,
  usageChunk,
} from '../../../support/hand-made-upstream.ts'
import { reusedRelay } from '../../../support/reused.ts'

const open = reusedRelay()
type Item = { type: string; name?: string; namespace?: string; call_id?: string }

const look = { type: 'function', name: 'look', parameters: { type: 'object', properties: {} }, strict: false }
/** All of them would be `a__b__look` or `a__look`. */
const TOOLS = [
  { type: 'namespace', name: 'a', description: 'one', tools: [{ ...look, name: 'b__look' }, look] },
  { type: 'namespace', name: 'a__b', description: 'two', tools: [look] },
  { type: 'namespace', name: 'a', description: 'one again', tools: [look] },
  { ...look, name: 'a__look' },
]
const CLIENT_NAMES = [
  ['a', 'b__look'],
  ['a', 'look'],
  ['a__b', 'look'],
  [undefined, 'a__look'],
]

const toolsOf = (exchange: Exchange | undefined) => (exchange?.body.tools ?? []) as { function: { name: string } }[]

/** Calls every tool that it is given, and rejects two of one name as vendors do. */
function callAll(exchange: Exchange) {
  const tools = toolsOf(exchange)
  const names = tools.map((tool) => tool.function.name)
  if (new Set(names).size < names.length)
    return sendJson(exchange, { error: { message: 'Tool names must be unique', type: 'invalid_request_error' } }, 400)
  const calls = names.map((name, index) => ({
    index,
    id: `call_0123456789abcdefghij_${index}`,
    type: 'function',
    function: { name, arguments: '{}' },
  }))
  if (exchange.body.stream) {
    return sendStream(exchange, [chunk({ tool_calls: calls }), chunk({}, 'tool_calls'), usageChunk(usage(20, 12))])
  }
  const message = { role: 'assistant', content: null, tool_calls: calls }
  return sendJson(
    exchange,
    completion('', usage(20, 12), { choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }),
  )
}

test.each([false, true])(
  'namespaces with colliding names reach the upstream as different functions, streamed: %s',
  async (stream) => {
    const fixture = await open(callAll)
    const send = (body: object) =>
      post({ ...fixture, path: '/v1/responses', body: { model: MODEL, tools: TOOLS, stream, ...body } })
    const reply = await send({ input: 'hello' })
    expect(reply.status).toBe(200)
    // The one that occurs twice.
    expect(reply.headers.get('tollgate-omitted')).toBe('tools[2].tools[0].function')
    const last = reply.text.split('\n').findLast((line) => line.startsWith('data: {')) ?? ''
    const output: { id: string; output: Item[] } = stream ? JSON.parse(last.slice(6)).response : reply.json
    const calls = output.output.filter(({ type }) => type === 'function_call')
    expect(calls.map(({ namespace, name }) => [namespace, name])).toEqual(CLIENT_NAMES)

    // The calls come back by reference and by value; each keeps its function.
    const results = calls.map(({ call_id }) => ({ type: 'function_call_output', call_id, output: 'seen' }))
    await send({ previous_response_id: output.id, input: results })
    await send({ input: [{ role: 'user', content: 'hello' }, ...calls, ...results] })
    const declared = toolsOf(fixture.upstream.seen[0]).map((tool) => tool.function.name)
    for (const { body } of fixture.upstream.seen.slice(1)) {
      const messages = body.messages as { tool_calls?: { function: { name: string } }[] }[]
      const called = messages.flatMap(({ tool_calls = [] }) => tool_calls.map((one) => one.function.name))
      expect(called).toEqual(declared)
    }
    expect(await expectExactBooks(fixture)).toHaveLength(3)
  },
)
