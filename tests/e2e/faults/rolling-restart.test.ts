import { Agent, request } from 'node:http'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { ask } from '../../support/chat.ts'
import { CALL, type FaultServer, openFaultFixture, until } from '../../support/fault-fixture.ts'
import { skipWithoutPostgres } from '../../support/toolkit.ts'

beforeEach(skipWithoutPostgres)

/**
 * Sends requests over kept-alive connections, as a load balancer does: also again, if the server closed an idle connection in the moment
 * in which it was used. Returns the status, or the code of a broken connection.
 */
function openConnections(key: string) {
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const body = JSON.stringify(ask(CALL.model))
  const send = (url: string) =>
    new Promise<number | string>((resolve) => {
      const sent = request(`${url}/v1/chat/completions`, { method: 'POST', agent, headers }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode ?? 0))
        response.once('error', ({ message }) => resolve(message))
      })
      sent.once('error', (error) => {
        const code = (error as { code?: string }).code ?? error.message
        // https://nodejs.org/api/http.html#requestreusedsocket
        if (code === 'ECONNRESET' && sent.reusedSocket) resolve(send(url))
        else resolve(code)
      })
      sent.end(body)
    })
  return send
}

test('processes restarted one after another under load fail no request of kept-alive connections', async () => {
  const fixture = await openFaultFixture({ database: 'postgres', balance: 1_000_000 * CALL.quota })
  const servers: FaultServer[] = await Promise.all([fixture.server(), fixture.server(), fixture.server()])
  const send = openConnections(fixture.key)
  const outcomes = new Map<number | string, number>()
  let isDone = false
  const clients = Array.from({ length: 8 }, async (_, first) => {
    for (let at = first; !isDone; at++) {
      const outcome = await send((servers[at % servers.length] as FaultServer).url)
      // Nothing was sent: the next process takes the request.
      if (outcome !== 'ECONNREFUSED') outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    }
  })

  for (const [at, server] of servers.entries()) {
    const before = outcomes.get(200) ?? 0
    await until(() => (outcomes.get(200) ?? 0) > before + 100)
    server.signal('SIGTERM')
    expect((await server.exited).code).toBe(0)
    servers[at] = await fixture.server()
  }
  isDone = true
  await Promise.all(clients)

  // The kernel resets new connections that arrive in the moment in which their listener closes, and that no process has
  // seen: at most one of each client.
  const resets = outcomes.get('ECONNRESET') ?? 0
  outcomes.delete('ECONNRESET')
  expect(resets).toBeLessThanOrEqual(clients.length)
  expect([...outcomes.keys()]).toEqual([200])
  const charges = await fixture.toolkit.db.reader('logs').whereNotNull('request_id').pluck('quota')
  expect(charges).toEqual(Array(outcomes.get(200)).fill(CALL.quota))
  await fixture.expectExactLedger()
}, 120_000)
