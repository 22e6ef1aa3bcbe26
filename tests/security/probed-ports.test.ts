import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Worker } from 'node:worker_threads'
import { describe, expect, onTestFinished, test } from 'vitest'
import { guardFor } from '../../server/channels/guard.ts'
import { openConnections } from '../../server/connections.ts'
import { type ApiClient, openApi } from '../support/api.ts'
import { openTestGateway } from '../support/gateway.ts'
import { sendJson, startUpstream } from '../support/hand-made-upstream.ts'

/** Replies of all kinds of unreachable ports come after one time, give or take a busy machine. */
const SPREAD_MS = 1_500
const REPLY_MS = 5_500
const LEAST_MS = 5_000

async function open() {
  const fixture = await openTestGateway({
    settings: { MEDIA_ALLOW_HOSTS: '127.0.0.1' },
    config: { unreachableReplyMs: REPLY_MS },
  })
  const admin = await openApi(fixture).as(await fixture.user({ role: 10 }))
  const root = await openApi(fixture).as(fixture.root)
  return { ...fixture, admin, asRoot: root }
}

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** A listener that never accepts. */
const LISTENER = `
  const { parentPort } = require('node:worker_threads')
  const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port)
    setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0))
  })`

/** A port that answers nothing at all, like one behind a firewall: its queue of connections is full. */
async function filteredPort(): Promise<number> {
  const worker = new Worker(LISTENER, { eval: true })
  const [port] = (await once(worker, 'message')) as [number]
  const waiting = Array.from({ length: 4 }, () => connect({ port, host: '127.0.0.1' }).on('error', () => {}))
  onTestFinished(async () => {
    for (const socket of waiting) socket.destroy()
    await worker.terminate()
  })
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(waiting.some((socket) => socket.connecting)).toBe(true)
  return port
}

const startInside = (address = '127.0.0.2') =>
  startUpstream((exchange) => sendJson(exchange, { data: [{ id: 'inside' }] }), { address })

/** Addresses that are not reached, each for another reason. `inside`: one that is there, and may not be asked. */
async function unreachable() {
  const inside = await startInside()
  const { port } = new URL(inside.url)
  return {
    inside,
    addresses: {
      closed: `http://127.0.0.1:${await closedPort()}`,
      filtered: `http://127.0.0.1:${await filteredPort()}`,
      'rejected, and there': inside.url,
      'rejected by its name': `http://localhost.localdomain:${port}`,
      'rejected, of the same range': `http://127.9.9.9:${port}`,
      'rejected in another notation': `http://[::ffff:7f00:2]:${port}`,
      unknown: 'http://nowhere.invalid',
    },
  }
}

/** All at the same moment: one after the other they would take a minute. `stallMs`: how long the event loop stood still in between. */
async function probes(addresses: Record<string, string>, probe: (address: string) => Promise<string>) {
  const loop = monitorEventLoopDelay({ resolution: 20 })
  loop.enable()
  const replies = await Promise.all(
    Object.entries(addresses).map(async ([kind, address]) => {
      const began = performance.now()
      const reply = await probe(address)
      return { kind, reply, took: performance.now() - began }
    }),
  )
  loop.disable()
  return { replies, stallMs: loop.max / 1e6 }
}

function expectAlike({ replies, stallMs }: Awaited<ReturnType<typeof probes>>): void {
  for (const { kind, reply } of replies) expect([kind, reply]).toEqual([kind, replies[0]?.reply])
  const times = replies.map(({ took }) => took)
  expect(Math.min(...times)).toBeGreaterThan(LEAST_MS)
  expect(Math.max(...times) - Math.min(...times)).toBeLessThan(SPREAD_MS + 2 * stallMs)
}

const fetchModels = (client: ApiClient) => async (base_url: string) => {
  const { text, headers } = await client.post('/api/channel/fetch_models', { base_url, type: 1, key: 'k' })
  return text + (headers.get('tollgate-error') ?? '')
}

describe('an administrator who probes ports', () => {
  test('by the models at an address gets one reply after one delay', async () => {
    const { admin } = await open()
    const { inside, addresses } = await unreachable()

    const probed = await probes(addresses, fetchModels(admin))

    expectAlike(probed)
    expect(probed.replies[0]?.reply).toContain('无法建立连接')
    expect(inside.seen).toEqual([])
  })

  test('by stored channels, their models, balances and tests, gets one reply after one delay', async () => {
    const fixture = await open()
    const { inside, addresses } = await unreachable()
    const ids: Record<string, number> = {}
    for (const base_url of Object.values(addresses)) ids[base_url] = (await fixture.channel({ base_url })).id

    for (const path of ['fetch_models', 'update_balance']) {
      expectAlike(
        await probes(
          addresses,
          async (address) => (await fixture.admin.get(`/api/channel/${path}/${ids[address]}`)).text,
        ),
      )
    }
    const tests = await probes(addresses, async (address) => {
      const { success, message, time } = (await fixture.admin.get(`/api/channel/test/${ids[address]}`)).body
      expect(Math.abs(Number(time) - 5.5)).toBeLessThan(SPREAD_MS / 1000)
      return `${success} ${message}`
    })
    expectAlike(tests)
    for (const id of Object.values(ids)) {
      const { response_time } = (await fixture.admin.get(`/api/channel/${id}`)).body.data
      expect(Math.abs(response_time - REPLY_MS)).toBeLessThan(SPREAD_MS)
    }
    expect(inside.seen).toEqual([])
  })

  test('by runs over all channels reaches no more than by single tests', { timeout: 60_000 }, async () => {
    const fixture = await open()
    const { inside, addresses } = await unreachable()
    const { closed, filtered, 'rejected, and there': rejected } = addresses
    const ids = await Promise.all(
      [closed, filtered, rejected].map(async (base_url) => (await fixture.channel({ base_url })).id),
    )

    const began = performance.now()
    expect((await fixture.admin.get('/api/channel/update_balance')).body.success).toBe(true)
    expect(performance.now() - began).toBeGreaterThan(LEAST_MS)
    expect((await fixture.admin.get('/api/channel/test')).body.success).toBe(true)
    const tested = async () => {
      const jobs = (await fixture.asRoot.get('/api/jobs')).body.data as { name: string; outcome: string }[]
      return jobs.find(({ name }) => name === 'channel-test')?.outcome
    }
    await expect.poll(tested, { timeout: 40_000 }).toContain('3 tested, 3 failed')

    for (const id of ids) {
      const { response_time } = (await fixture.admin.get(`/api/channel/${id}`)).body.data
      expect(Math.abs(response_time - REPLY_MS)).toBeLessThan(SPREAD_MS)
    }
    expect(inside.seen).toEqual([])
  })

  test('by the runs of root reaches all', async () => {
    const fixture = await open()
    const inside = await startInside()
    await fixture.channel({ base_url: inside.url })

    await fixture.asRoot.get('/api/channel/update_balance')
    const requestCount = inside.seen.length
    await fixture.asRoot.get('/api/channel/test')

    expect(requestCount).toBeGreaterThan(0)
    await expect.poll(() => inside.seen.length).toBeGreaterThan(requestCount)
  })

  test('by the proxy of a channel reaches nothing either', async () => {
    const fixture = await open()
    const { inside } = await unreachable()
    const { port } = new URL(inside.url)
    const setting = JSON.stringify({ proxy: `http://127.0.0.2:${port}` })
    const { id } = await fixture.channel({ base_url: 'http://127.0.0.1:9', setting })

    const [models, tested] = await Promise.all([
      fixture.admin.get(`/api/channel/fetch_models/${id}`),
      fixture.admin.get(`/api/channel/test/${id}`),
    ])

    expect([models.body.success, tested.body.success]).toEqual([false, false])
    expect(inside.seen).toEqual([])
  })

  test('reaches what the operator allows, and root reaches all with the reason of a failure', async () => {
    const fixture = await open()
    const { addresses } = await unreachable()
    const allowed = await startInside('127.0.0.1')
    expect(await fetchModels(fixture.admin)(allowed.url)).toContain('["inside"]')
    expect(await fetchModels(fixture.asRoot)(addresses['rejected, and there'])).toContain('["inside"]')
    const began = performance.now()
    expect(await fetchModels(fixture.asRoot)(addresses.closed)).toContain('ECONNREFUSED')
    expect(performance.now() - began).toBeLessThan(LEAST_MS)
  })
})

test('with a name that resolves differently after the check gets the checked address', async () => {
  const inside = await startUpstream((exchange) => sendJson(exchange, {}))
  const { port } = new URL(inside.url)
  let lookups = 0
  const lookup = async () => {
    lookups++
    return [{ address: '127.0.0.1', family: 4 }]
  }
  const guard = guardFor(
    { id: 2, role: 10 },
    {
      media: { bytesMax: 0, allowHosts: [{ kind: 'host', host: 'rebound.example', port: undefined }] },
      unreachableReplyMs: REPLY_MS,
    },
    lookup,
  )
  const connections = openConnections(`http://rebound.example:${port}`, { guard: guard?.connection })
  onTestFinished(() => connections.destroy())
  const { statusCode, body } = await connections.request({ path: '/', method: 'GET' })
  await body.dump()
  expect([statusCode, lookups]).toEqual([200, 1])

  const refused = openConnections(`http://other.example:${port}`, { guard: guard?.connection })
  onTestFinished(() => refused.destroy())
  await expect(refused.request({ path: '/', method: 'GET' })).rejects.toMatchObject({ code: 'MEDIA_REFUSED' })
})
