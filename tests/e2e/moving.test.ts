import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import sqlite3 from 'sqlite3'
import { expect, test } from 'vitest'
import { startSimulatedUpstream } from '../../server/demo/upstream.ts'
import { createWorld, freePort } from '../cli/support.ts'
import { whenDone } from '../support/lifetime.ts'
import { createNewApiDatabase, peerKey } from '../support/peers/new-api.js'

const OLD_CHARGE = 7
const USER = 5
/** A key of that user: (id * 31) % 20 + 1. */
const TOKEN = 4

/** The old gateway as far as its clients and its database see it: each request is charged in the database, then answered. */
async function startOldGateway(file: string, port: number) {
  const db = new sqlite3.Database(file)
  const exec = (sql: string) =>
    new Promise<void>((done, fail) => db.exec(sql, (error) => (error ? fail(error) : done())))
  let served = 0
  const server: Server = createServer(async (request, response) => {
    request.resume()
    if (request.headers.authorization !== `Bearer sk-${peerKey(TOKEN)}`) return response.writeHead(401).end()
    await exec(`BEGIN; UPDATE users SET quota = quota - ${OLD_CHARGE}, used_quota = used_quota + ${OLD_CHARGE} WHERE id = ${USER};
      UPDATE tokens SET remain_quota = remain_quota - ${OLD_CHARGE}, used_quota = used_quota + ${OLD_CHARGE} WHERE id = ${TOKEN};
      INSERT INTO logs (user_id, created_at, type, quota, model_name, token_id, username) VALUES (${USER}, ${Math.floor(Date.now() / 1000)}, 2, ${OLD_CHARGE}, 'sim-chat', ${TOKEN}, 'user${USER}'); COMMIT`)
    served++
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"object":"chat.completion","usage":{}}')
  })
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  return {
    served: () => served,
    async stop() {
      await new Promise((done) => server.close(done).closeIdleConnections())
      await new Promise((done) => db.close(done))
    },
  }
}

/** One client that goes on calling the same address with the same key. */
function startClient(port: number) {
  const state = { isOver: false, ok: 0, pauseMs: 0 }
  let last = performance.now()
  const running = (async () => {
    while (!state.isOver) {
      const status = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer sk-${peerKey(TOKEN)}`,
          connection: 'close',
        },
        body: JSON.stringify({ model: 'sim-chat', messages: [{ role: 'user', content: 'hi' }], max_tokens: 5 }),
      }).then(
        async (response) => {
          await response.arrayBuffer()
          return response.status
        },
        () => 0,
      )
      if (status === 200) {
        state.pauseMs = Math.max(state.pauseMs, performance.now() - last)
        last = performance.now()
        state.ok++
      } else expect(status === 0 || status === 503).toBe(true)
      await sleep(20)
    }
  })()
  const stop = async (): Promise<void> => {
    state.isOver = true
    await running
  }
  return { state, stop }
}

test('docs/moving.md: the move with both gateways on one machine, to equal sums', async () => {
  const fixture = await createWorld({}, { isEmpty: true })
  const file = join(fixture.folder, 'one-api.db')
  await createNewApiDatabase(file)
  const upstream = await startSimulatedUpstream()
  whenDone(() => upstream.close())
  const read = (sql: string) =>
    new Promise<Record<string, number>>((done, fail) => {
      const db = new sqlite3.Database(file, sqlite3.OPEN_READONLY)
      db.get(sql, (error, row) => db.close(() => (error ? fail(error) : done(row as Record<string, number>))))
    })
  await new Promise<void>((done, fail) => {
    const db = new sqlite3.Database(file)
    db.exec(
      `UPDATE channels SET base_url = '${upstream.url}', models = 'sim-chat';
      UPDATE options SET value = '{"sim-chat":1}' WHERE "key" = 'ModelRatio'; UPDATE tokens SET remain_quota = 1000000 WHERE id = ${TOKEN}`,
      (error) => db.close(() => (error ? fail(error) : done())),
    )
  })
  const port = await freePort()
  const old = await startOldGateway(file, port)
  const client = startClient(port)
  await expect.poll(() => client.state.ok).toBeGreaterThan(5)

  // 1. Import while the old gateway serves.
  const first = await fixture.json('import', 'new-api', file, '--yes')
  expect(first.skipped).toEqual([])
  const atImport = await read(`SELECT quota, used_quota FROM users WHERE id = ${USER}`)
  await expect.poll(() => client.state.ok).toBeGreaterThan(15)

  // 2. and 3. Try it, then take the port.
  expect((await fixture.run(['doctor', '--json'])).stdout).toContain('ledger')
  await old.stop()
  const gateway = fixture.start(['serve', '--port', String(port)], { env: { ...fixture.env, LOG_LEVEL: 'silent' } })
  whenDone(() => gateway.kill('SIGKILL'))
  const taken = client.state.ok
  await expect.poll(() => client.state.ok, { timeout: 60_000 }).toBeGreaterThan(taken + 10)

  // 4. What arrived since, while the new gateway serves.
  const last = await fixture.json('import', 'new-api', file, '--since-last', '--yes')
  await expect.poll(() => client.state.ok).toBeGreaterThan(taken + 20)
  await client.stop()
  gateway.kill('SIGTERM')
  await gateway

  // 5. Compare.
  for (const { table, sums } of last.tables as {
    table: string
    sums: Record<string, { source: number; target: number }>
  }[]) {
    for (const [column, { source, target }] of Object.entries(sums))
      expect({ table, column, target }).toEqual({ table, column, target: source })
  }
  const source = await read(
    `SELECT quota, used_quota, (SELECT COUNT(*) FROM logs) AS logs FROM users WHERE id = ${USER}`,
  )
  expect(source.quota).toBeLessThan(atImport.quota ?? 0)
  await fixture.inside(async (toolkit) => {
    const { id, quota, used_quota } = await toolkit.db
      .reader('users')
      .where({ username: `user${USER}` })
      .first('id', 'quota', 'used_quota')
    const charged = await toolkit.db
      .reader('logs')
      .where({ user_id: id, type: 2 })
      .whereNotNull('request_id')
      .sum({ total: 'quota' })
      .count({ n: '*' })
      .first()
    expect(quota).toBe((source.quota ?? 0) - Number(charged?.total))
    expect(used_quota).toBe((source.used_quota ?? 0) + Number(charged?.total))
    const imported = await toolkit.db
      .reader('logs')
      .whereNull('request_id')
      .where({ type: 2 })
      .count({ n: '*' })
      .first()
    expect(Number(imported?.n)).toBe(source.logs)
    expect(old.served() + Number(charged?.n)).toBeGreaterThanOrEqual(client.state.ok)
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true })
  })
  console.log(`longest time without a reply: ${Math.round(client.state.pauseMs)} ms`)
}, 180_000)
