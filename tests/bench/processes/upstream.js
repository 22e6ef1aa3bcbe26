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

/** The upstreams of the benchmarks: as fast as it goes, paced like a model that thinks, and one that speaks Messages. */
const [fast, paced, messagesUrl] = await Promise.all([
  startSimulatedUpstream({ port: settings.port }),
  startSimulatedUpstream({ tokensPerSecond: settings.tokensPerSecond }),
  startMessages(),
])

ready({ url: fast.url, pacedUrl: paced.url, messagesUrl })

/** Answers each POST with `max_tokens` constant pieces: https://platform.claude.com/docs/en/build-with-claude/streaming */
async function startMessages() {
  const server = createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
    /** @type {Buffer[]} */
    const chunks = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.once('end', () => {
      const { max_tokens } = JSON.parse(Buffer.concat(chunks).toString())
      sendStream(response, messageFrames(max_tokens), { firstTokenMs: 0, tokensPerSecond: 0 }, 'whole')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  return `http://127.0.0.1:${port}`
}

/** @param {number} pieces */
function* messageFrames(pieces) {
  yield FIRST
  for (let sent = 0; sent < pieces; sent++) yield PIECE
  yield LAST
}
