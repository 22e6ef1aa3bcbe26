import { COMPLETION_TOKENS, ERROR_TEXT, MEANT, type Meant, PROMPT_TOKENS } from '../meant.ts'
import { type Call, events, type StandIn, sendJson, sendStream } from '../mock-upstreams.ts'
import { cut } from './cut.ts'

/** Claude behind Vertex AI: Anthropic's Messages, without `model` and with a version in the body. */
export const vertexClaude: StandIn = (call) => {
  const { body, feature = 'plain' } = call
  const complaint = complaintAbout(call)
  if (complaint) return fail(call, 400, complaint)
  if (feature === 'error') return fail(call, 500, ERROR_TEXT)
  const meant = MEANT[feature]
  if (!body.stream) return sendJson(call, whole(meant))
  const broken = feature === 'mid-stream break'
  sendStream(call, events(...stream(meant, broken).map((event) => [event.type, event] as const)), { broken })
}

type Turn = { role: string; content: string | Record<string, unknown>[] }
const idsIn =
  (type: string, field: string) =>
  ({ content }: Turn, turn: number) =>
    typeof content === 'string'
      ? []
      : content.flatMap((block) =>
          block.type === type ? `${turn + (type === 'tool_use' ? 1 : 0)} ${block[field]}` : [],
        )

/** Results are in the next turn, in any order. */
function complaintAbout({ body, path }: Call): string | undefined {
  const turns = body.messages as Turn[]
  if (body.model !== undefined) return 'model: Extra inputs are not permitted'
  if (body.anthropic_version !== 'vertex-2023-10-16') return 'anthropic_version: Field required'
  const calls = turns.flatMap(idsIn('tool_use', 'id'))
  const results = turns.flatMap(idsIn('tool_result', 'tool_use_id'))
  if (calls.join() !== results.join()) return `messages: tool_use ${calls} with tool_result ${results}`
  return path.endsWith(':streamRawPredict') === (body.stream === true) ? undefined : 'stream: not at this address'
}

function fail(call: Call, status: number, message: string): void {
  sendJson(call, { type: 'error', error: { type: 'api_error', message } }, { status })
}

const MESSAGE = { id: 'msg_vrtx_1', type: 'message', role: 'assistant', model: 'claude-sonnet-4-6' }
const SIGNATURE = 'c2lnbmF0dXJl'
const stopOf = ({ calls }: Meant) => (calls ? 'tool_use' : 'end_turn')

function blocksOf({ text, reasoning, calls = [] }: Meant) {
  return [
    ...(reasoning ? [{ type: 'thinking', thinking: reasoning, signature: SIGNATURE }] : []),
    ...(text ? [{ type: 'text', text }] : []),
    ...calls.map(({ name, args }, at) => ({ type: 'tool_use', id: `toolu_vrtx_${at}`, name, input: args })),
  ]
}

const whole = (meant: Meant) => ({
  ...MESSAGE,
  content: blocksOf(meant),
  stop_reason: stopOf(meant),
  stop_sequence: null,
  // Part of the prompt is told apart: both sum up to what the model has read.
  usage: {
    input_tokens: PROMPT_TOKENS - 5,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 5,
    output_tokens: COMPLETION_TOKENS,
  },
})

type Event = { type: string; [field: string]: unknown }

function stream(meant: Meant, broken: boolean): Event[] {
  const { usage, ...message } = whole(meant)
  const list: Event[] = [
    { type: 'vertex_event' },
    {
      type: 'message_start',
      message: { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } },
    },
    { type: 'ping' },
    ...blocksOf(meant).flatMap(blockEvents),
  ]
  if (broken) return list.slice(0, -2)
  return [
    ...list,
    {
      type: 'message_delta',
      delta: { stop_reason: stopOf(meant), stop_sequence: null },
      usage: { output_tokens: COMPLETION_TOKENS },
    },
    { type: 'message_stop' },
  ]
}

function blockEvents(block: ReturnType<typeof blocksOf>[number], index: number): Event[] {
  const delta = (type: string, field: string) => (piece: string) => ({
    type: 'content_block_delta',
    index,
    delta: { type, [field]: piece },
  })
  const [empty, deltas] =
    'thinking' in block
      ? [
          { type: 'thinking', thinking: '', signature: '' },
          [
            ...cut(block.thinking).map(delta('thinking_delta', 'thinking')),
            delta('signature_delta', 'signature')(SIGNATURE),
          ],
        ]
      : 'text' in block
        ? [{ type: 'text', text: '' }, cut(block.text).map(delta('text_delta', 'text'))]
        : [{ ...block, input: {} }, cut(JSON.stringify(block.input)).map(delta('input_json_delta', 'partial_json'))]
  return [
    { type: 'content_block_start', index, content_block: empty },
    ...deltas,
    { type: 'content_block_stop', index },
  ]
}

/** Google's token endpoint for a service account. */
export const googleToken: StandIn = (call) => {
  const params = new URLSearchParams(call.raw.toString('utf8'))
  const isSigned = params.get('assertion')?.split('.').length === 3
  if (!isSigned) return sendJson(call, { error: 'invalid_grant' }, { status: 400 })
  sendJson(call, { access_token: 'ya29.matrix', expires_in: 3600, token_type: 'Bearer' })
}
