import { plainUsage } from '../../server/relay/charging/usage.ts'
import type { ReplyEvent } from '../../server/relay/conversation/conversation.ts'

/*
 * A reply as a Responses stream: reasoning, text, two calls, cached input. Ids are shortened to `rs`, `msg`, `fc1`, `fc2`,
 * and the response object to the fields that tests check.
 */
const THOUGHT = 'The user asks about Oslo.'
const WORDS = 'Looking it up.'
const CITY = '{"city":"Oslo"}'

export const GOLDEN_EVENTS: ReplyEvent[] = [
  { kind: 'reasoning', text: THOUGHT },
  { kind: 'text', text: WORDS },
  { kind: 'call', call: 0, id: 'call_a', name: 'get_weather' },
  { kind: 'arguments', call: 0, text: CITY },
  { kind: 'call', call: 1, id: 'call_b', name: 'get_time' },
  { kind: 'arguments', call: 1, text: '{}' },
]
export const GOLDEN_USAGE = { ...plainUsage(20, 12), cachedTokens: 8, reasoningTokens: 4 }

const summary = { item_id: 'rs', output_index: 0, summary_index: 0 }
const words = { item_id: 'msg', output_index: 1, content_index: 0 }
const part = (text: string) => ({ type: 'output_text', text, annotations: [], logprobs: [] })
const thought = { id: 'rs', type: 'reasoning', summary: [{ type: 'summary_text', text: THOUGHT }] }
const message = { id: 'msg', type: 'message', status: 'completed', role: 'assistant', content: [part(WORDS)] }
const call = (id: string, call_id: string, name: string, args: string) => ({
  id,
  type: 'function_call',
  status: 'completed',
  call_id,
  name,
  arguments: args,
})
const weather = call('fc1', 'call_a', 'get_weather', CITY)
const time = call('fc2', 'call_b', 'get_time', '{}')

function steps(item: ReturnType<typeof call>, output_index: number): Record<string, unknown>[] {
  const place = { item_id: item.id, output_index }
  return [
    {
      type: 'response.output_item.added',
      output_index,
      item: { ...item, status: 'in_progress', arguments: '' },
    },
    { type: 'response.function_call_arguments.delta', ...place, delta: item.arguments },
    { type: 'response.function_call_arguments.done', ...place, name: item.name, arguments: item.arguments },
    { type: 'response.output_item.done', output_index, item },
  ]
}

const begun = { id: 'resp', object: 'response', status: 'in_progress', model: 'm', output: [], usage: null }
const usage = {
  input_tokens: 20,
  input_tokens_details: { cached_tokens: 8, cache_write_tokens: 0 },
  output_tokens: 12,
  output_tokens_details: { reasoning_tokens: 4 },
  total_tokens: 32,
}

export const GOLDEN_STREAM: Record<string, unknown>[] = [
  { type: 'response.created', response: begun },
  { type: 'response.in_progress', response: begun },
  { type: 'response.output_item.added', output_index: 0, item: { ...thought, summary: [] } },
  { type: 'response.reasoning_summary_part.added', ...summary, part: { type: 'summary_text', text: '' } },
  { type: 'response.reasoning_summary_text.delta', ...summary, delta: THOUGHT },
  { type: 'response.reasoning_summary_text.done', ...summary, text: THOUGHT },
  { type: 'response.reasoning_summary_part.done', ...summary, part: thought.summary[0] },
  { type: 'response.output_item.done', output_index: 0, item: thought },
  { type: 'response.output_item.added', output_index: 1, item: { ...message, status: 'in_progress', content: [] } },
  { type: 'response.content_part.added', ...words, part: part('') },
  { type: 'response.output_text.delta', ...words, delta: WORDS, logprobs: [] },
  { type: 'response.output_text.done', ...words, text: WORDS, logprobs: [] },
  { type: 'response.content_part.done', ...words, part: part(WORDS) },
  { type: 'response.output_item.done', output_index: 1, item: message },
  ...steps(weather, 2),
  ...steps(time, 3),
  {
    type: 'response.completed',
    response: { ...begun, status: 'completed', output: [thought, message, weather, time], usage },
  },
].map((event, sequence_number) => ({ ...event, sequence_number }))

/** Returns the stream as text; each line ends with `end`. */
export function goldenBytes(end = '\n'): string {
  return GOLDEN_STREAM.map((event) => `event: ${event.type}${end}data: ${JSON.stringify(event)}${end}${end}`).join('')
}
