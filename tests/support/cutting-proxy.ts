import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestGateway } from './gateway.ts'
import { whenDone } from './lifetime.ts'

/** Starts a proxy for a gateway that drops the replies to calls (`POST /api/user/`) matching `isCut`. Returns its URL. */
export async function startCutting(
  { url }: Pick<TestGateway, 'url'>,
  isCut: (call: string) => boolean,
): Promise<string> {
  const server = createServer((asked, answer) => {
    const lose = isCut(`${asked.method} ${asked.url}`)
    const passed = request(url + asked.url, { method: asked.method, headers: asked.headers }, (got) => {
      if (lose) return void got.resume().on('end', () => asked.socket.destroy())
      answer.writeHead(got.statusCode ?? 500, got.headers)
      got.pipe(answer)
    })
    asked.pipe(passed)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  whenDone(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
