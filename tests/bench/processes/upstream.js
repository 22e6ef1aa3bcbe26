import { once } from 'node:events'
import { createServer } from 'node:http'
import { sendStream } from '../../../dist/server/demo/send.js'
import { startSimulatedUpstream } from '../../../dist/server/demo/upstream.js'
import { ready, settings } from './child.js'

const event = (/** @type {{ type: string } & object} */ payload) =>
  `event: ${payload.type}\ndata: ${JSON.stringify(payload)}\n\n`
const MESSAGE = { id: 'msg_bench', type: 'message', role: 'assistant', model: 'bench', content: [], stop_reason: null }
const FIRST = Buffer.from(
  event({ type: 'message_start', message: { ...MESSAGE, usage: { input_tokens: 90, output_tokens: 1 } } }) +
    event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
)
const PIECE = Buffer.from(
  event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: ' token' } }),
)
const LAST = Buffer.from(
  event({ type: 'content_block_stop', index: 0 }) +
    event({ type: 'message_delta', delta: { stop_reason: 'max_tokens' }, usage: { output_tokens: 100 } }) +
    event({ type: 'message_stop' }),
)

/** A stream of chat completions: 100 chunks of text, the last chunk, and the usage. */
const WHOLE_STREAM = Buffer.from(
  [
    ...Array.from({ length: 100 }, () => chatChunk({ delta: { content: ' token' }, finish_reason: null })),
    chatChunk({ delta: {}, finish_reason: 'stop' }),
    chatChunk(undefined, { prompt_tokens: 90, completion_tokens: 100, total_tokens: 190 }),
    'data: [DONE]\n\n',
  ].join(''),
)

/**
 * The upstreams of the benchmarks: one without pacing, one paced like a real model, one with the Messages API, and one
 * that sends a whole stream in one piece.
 */
const [fast, paced, messagesUrl, wholeUrl] = await Promise.all([
  startSimulatedUpstream({ port: settings.port }),
  startSimulatedUpstream({ tokensPerSecond: settings.tokensPerSecond }),
  // The pieces are constant: https://platform.claude.com/docs/en/build-with-claude/streaming
  start((response, { max_tokens }) =>
    sendStream(response, messageFrames(max_tokens), { firstTokenMs: 0, tokensPerSecond: 0 }, 'whole'),
  ),
  start((response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(WHOLE_STREAM)),
])

ready({ url: fast.url, pacedUrl: paced.url, messagesUrl, wholeUrl })

/** Starts a server that answers each POST. @param {(response: import('node:http').ServerResponse, body: any) => void} answer */
async function start(answer) {
  const server = createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
    /** @type {Buffer[]} */
    const chunks = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.once('end', () => answer(response, JSON.parse(Buffer.concat(chunks).toString())))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  return `http://127.0.0.1:${port}`
}

/** @param {object} [choice] @param {object} [usage] */
function chatChunk(choice, usage) {
  const chunk = {
    id: 'chatcmpl-bench',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'bench',
    choices: choice ? [{ index: 0, ...choice }] : [],
  }
  return `data: ${JSON.stringify(usage ? { ...chunk, usage } : chunk)}\n\n`
}

/** @param {number} pieces */
function* messageFrames(pieces) {
  yield FIRST
  for (let sent = 0; sent < pieces; sent++) yield PIECE
  yield LAST
}
