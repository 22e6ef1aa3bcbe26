import { createServer } from 'node:http'
import { ready } from './child.js'

/** The minimum cost of a JSON request in Node.js: collects the bytes, parses them once, and rejects the request. */
const REJECTED = '{"error":{"message":"rejected"}}'

const server = createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
  /** @type {Buffer[]} */
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.once('end', () => {
    JSON.parse(Buffer.concat(chunks).toString())
    response.writeHead(403, { 'content-type': 'application/json', 'content-length': REJECTED.length }).end(REJECTED)
  })
})

server.listen(0, '127.0.0.1', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  ready({ url: `http://127.0.0.1:${port}` })
})
