import { createServer } from 'node:http'
import { Pool } from 'undici'
import { ready, settings } from './child.js'

/**
 * The minimum cost of a gateway in Node.js: forwards a request with undici, and forwards the reply as it arrives. Does
 * not authenticate, count or store anything. The pool has the settings of the gateway's pool. The body is collected
 * first, because undici sends a body of known length faster than a stream, and a slower yardstick would favor the
 * gateway.
 */
const upstream = new Pool(settings.upstream, { connections: 256, pipelining: 1, keepAliveTimeout: 60_000 })
/** Headers that belong to one connection, not to the message. */
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding'])

const server = createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
  if (request.method !== 'POST' || !request.url?.startsWith('/v1/')) {
    response.writeHead(404).end()
    return
  }
  const { url: path } = request
  const { host: _, connection: __, 'transfer-encoding': ___, ...headers } = request.headers
  /** @type {Buffer[]} */
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.once('end', () => {
    const body = Buffer.concat(chunks)
    upstream.dispatch(
      {
        method: 'POST',
        path,
        headers: { ...headers, 'content-length': String(body.length) },
        body,
      },
      answerTo(response),
    )
  })
})

/** Forwards the reply with backpressure. If the client disconnects, aborts the request to the upstream. @param {import('node:http').ServerResponse} response @returns {import('undici').Dispatcher.DispatchHandler} */
function answerTo(response) {
  return {
    onRequestStart(controller) {
      response.once('close', () => {
        if (!response.writableFinished) controller.abort(new Error('the client left'))
      })
      response.on('drain', () => controller.resume())
    },
    onResponseStart(_, status, headers) {
      const kept = Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name))
      response.writeHead(status, Object.fromEntries(kept))
    },
    onResponseData(controller, chunk) {
      if (!response.write(chunk)) controller.pause()
    },
    onResponseEnd() {
      response.end()
    },
    onResponseError() {
      if (response.headersSent) response.destroy()
      else response.writeHead(502).end()
    },
  }
}

server.listen(0, '127.0.0.1', () => {
  const address = /** @type {import('node:net').AddressInfo} */ (server.address())
  ready({ url: `http://127.0.0.1:${address.port}` })
})
