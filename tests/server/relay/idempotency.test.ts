import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { breakTransactions } from '../../support/broken-transactions.ts'
import { ask, post } from '../../support/chat.ts'
import { customer, MODEL, openTestRelay, priceOf, serve, type TestRelay } from '../../support/gateway.ts'
import {
  completion,
  DONE,
  type Exchange,
  say,
  sendJson,
  sendStream,
  usage,
  usageChunk,
} from '../../support/hand-made-upstream.ts'
import { onBoth, type TestToolkit } from '../../support/toolkit.ts'

const COST = priceOf(9, 1)
const reply = (exchange: Exchange) => sendJson(exchange, completion('hi', usage(9, 1)))
const keyed = (key: string) => ({ headers: { 'idempotency-key': key } })
const spent = async ({ toolkit, person }: Pick<TestRelay, 'toolkit' | 'person'>): Promise<number> =>
  (await toolkit.db.reader('users').where({ id: person.id }).first('used_quota')).used_quota

/** An upstream whose answers wait until they are released. */
function waitingUpstream() {
  const waiting: Exchange[] = []
  return { waiting, answer: (exchange: Exchange) => void waiting.push(exchange) }
}

onBoth('a relay under an idempotency key', (open) => {
  const relay = (answer: (exchange: Exchange) => unknown) =>
    openTestRelay(answer, {
      gateway: async ({ settings }) => {
        const world = await open()
        const gateway = await serve(world, { settings })
        return { ...world, gateway, url: gateway.url }
      },
    })

  test('runs once of fifty concurrent calls, is charged once, and repeats the same reply', async () => {
    const { waiting, answer } = waitingUpstream()
    const world = await relay(answer)
    const all = Array.from({ length: 50 }, () => world.chat(ask(MODEL), keyed('order-1')))
    await expect.poll(() => waiting.length).toBe(1)
    const refused = await Promise.race(all)
    expect(refused).toMatchObject({ status: 409, json: { error: { code: 'idempotency_key_in_use' } } })
    waiting.splice(0).forEach(reply)

    const answers = await Promise.all(all)
    const [served, ...others] = answers
      .filter(({ status }) => status === 200)
      .sort((a, b) => Number(a.headers.has('idempotent-replayed')) - Number(b.headers.has('idempotent-replayed')))
    expect(served?.headers.get('idempotent-replayed')).toBeNull()
    // Those that came when the first had its reply.
    for (const { headers, text } of others)
      expect([headers.get('idempotent-replayed'), text]).toEqual(['true', served?.text])
    const again = await world.chat(ask(MODEL), keyed('order-1'))
    expect(again).toMatchObject({ status: 200, text: served?.text, requestId: served?.requestId })
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(world.upstream.seen).toHaveLength(1)
    expect(await spent(world)).toBe(COST)
  })

  test('is rejected with another body or path, and is separate for another user', async () => {
    const world = await relay(reply)
    await world.chat(ask(MODEL), keyed('order-1'))

    for (const call of [
      { body: ask(MODEL, { user: 'other' }) },
      { body: { ...ask(MODEL), prompt: 'hello' }, path: '/v1/completions' },
    ]) {
      const refused = await world.chat(call.body, { ...call, ...keyed('order-1') })
      expect(refused).toMatchObject({ status: 422, json: { error: { code: 'idempotency_key_reused' } } })
    }
    const other = await customer(world)
    const theirs = await post({ url: world.url, key: other.key, body: ask(MODEL), ...keyed('order-1') })
    expect(theirs.status).toBe(200)
    expect(theirs.headers.get('idempotent-replayed')).toBeNull()
    const [first, second] = world.upstream.seen.map(({ headers }) => headers['idempotency-key'])
    expect(first).toMatch(/^[0-9a-f]{64}$/)
    expect(second).not.toBe(first)
  })

  test('that failed releases its key, and costs nothing', async () => {
    let isBroken = true
    const world = await relay((exchange) =>
      isBroken ? sendJson(exchange, { error: { message: 'no' } }, 400) : reply(exchange),
    )
    expect((await world.chat(ask(MODEL), keyed('order-1'))).status).toBe(400)
    isBroken = false
    expect((await world.chat(ask(MODEL), keyed('order-1'))).status).toBe(200)
    expect(await spent(world)).toBe(COST)
    expect(world.upstream.seen).toHaveLength(2)
  })

  test('as a stream, is charged once and not repeated', async () => {
    const world = await relay((exchange) => sendStream(exchange, [say('hi'), usageChunk(usage(9, 1))], DONE))
    const body = ask(MODEL, { stream: true })
    expect(await world.chat(body, keyed('order-1'))).toMatchObject({ complete: true, said: 'hi' })

    await expect
      .poll(() => world.chat(body, keyed('order-1')))
      .toMatchObject({ status: 409, json: { error: { code: 'idempotency_key_used' } } })
    expect(world.upstream.seen).toHaveLength(1)
    expect(await spent(world)).toBe(COST)
  })

  test('with a too large reply is charged once and not repeated', async () => {
    const large = 'x'.repeat(1_100_000)
    const world = await relay((exchange) => sendJson(exchange, completion(large, usage(9, 100))))
    expect((await world.chat(ask(MODEL), keyed('order-1'))).said).toBe(large)
    expect(await world.chat(ask(MODEL), keyed('order-1'))).toMatchObject({
      status: 409,
      json: { error: { code: 'idempotency_key_used' } },
    })
    expect(await spent(world)).toBe(priceOf(9, 100))
  })

  test('whose process died runs again, and is one charge though the first was written', async () => {
    const world = await relay(reply)
    const first = await world.chat(ask(MODEL), keyed('order-1'))
    // As if the process had died between its charge and the keeping of its reply.
    await world.toolkit.db.transaction((trx) =>
      trx('relay_outcomes').update({ node_id: 'ended', content_type: null, body: null }),
    )
    const second = await world.chat(ask(MODEL), keyed('order-1'))

    expect(second).toMatchObject({ status: 200, requestId: first.requestId })
    expect(world.upstream.seen).toHaveLength(2)
    expect(await spent(world)).toBe(COST)
    expect(await world.toolkit.ledger.verify()).toMatchObject({ equal: true })
    expect((await world.chat(ask(MODEL), keyed('order-1'))).headers.get('idempotent-replayed')).toBe('true')
  })

  test('rejected during an unknown outcome of its claim releases the key', async () => {
    const world = await relay(reply)
    await world.chat(ask(MODEL))
    const broken = breakTransactions(world.toolkit)
    broken.mode = 'after'
    const rejected = await world.chat(ask(MODEL), keyed('order-1'))
    expect(rejected.status).toBeGreaterThanOrEqual(500)
    broken.mode = 'works'

    await expect
      .poll(() => world.chat(ask(MODEL), keyed('order-1')).then(({ status }) => status), { timeout: 15_000 })
      .toBe(200)
    expect(await spent(world)).toBe(2 * COST)
  })

  test('whose claim arrives after its client was rejected releases the key', async () => {
    const world = await relay(reply)
    await world.chat(ask(MODEL))
    const { db } = world.toolkit
    const { transaction } = db
    let isSlow = true
    Object.assign(db, {
      async transaction(work: Parameters<typeof transaction>[0]) {
        const result = await transaction(work)
        if (isSlow) await sleep(6000)
        return result
      },
    })
    expect((await world.chat(ask(MODEL), keyed('order-1'))).status).toBe(503)
    isSlow = false

    await expect
      .poll(() => world.chat(ask(MODEL), keyed('order-1')).then(({ status }) => status), { timeout: 15_000 })
      .toBe(200)
    expect(await spent(world)).toBe(2 * COST)
  })

  test('of a running process is awaited by others', async () => {
    const { waiting, answer } = waitingUpstream()
    const world = await relay(answer)
    const other = await serveAnother(world)
    const running = world.chat(ask(MODEL), keyed('order-1'))
    await expect.poll(() => waiting.length).toBe(1)
    const meanwhile = await post({ url: other, key: world.key, body: ask(MODEL), ...keyed('order-1') })
    expect(meanwhile.status).toBe(409)
    waiting.splice(0).forEach(reply)
    const served = await running
    const again = await post({ url: other, key: world.key, body: ask(MODEL), ...keyed('order-1') })
    expect(again).toMatchObject({ status: 200, text: served.text })
    expect(await spent(world)).toBe(COST)
  })

  test('is forgotten after 24 hours, and its row deleted', async () => {
    const world = await relay(reply)
    await world.chat(ask(MODEL), keyed('order-1'))
    await world.chat(ask(MODEL), keyed('order-2'))
    const { db, relayOutcomes } = world.toolkit
    await db.transaction((trx) => trx('relay_outcomes').decrement('created_at', 24 * 3600 + 1))

    const retried = await world.chat(ask(MODEL, { user: 'other' }), keyed('order-1'))
    expect(retried.status).toBe(200)
    expect(await relayOutcomes.trim()).toBe(1)
    expect(await db.reader('relay_outcomes').count({ count: '*' })).toEqual([{ count: 1 }])
    expect(await spent(world)).toBe(3 * COST)
  })
})

async function serveAnother(world: TestToolkit): Promise<string> {
  const gateway = await serve({ ...world, toolkit: await world.another() })
  return gateway.url
}

test.each(['', '   ', 'x'.repeat(256)])('an invalid key (%#) is rejected', async (key) => {
  const world = await openTestRelay(reply)
  const refused = await world.chat(ask(MODEL), keyed(key))
  expect(refused).toMatchObject({ status: 400, json: { error: { code: 'invalid_idempotency_key' } } })
  expect(world.upstream.seen).toEqual([])
})

test('a form is the same request with another boundary, but not with another file', async () => {
  const world = await openTestRelay((exchange) => sendJson(exchange, { text: 'said' }), {
    channel: { models: 'whisper-1' },
  })
  await world.toolkit.options.set(world.root, 'ModelPrice', JSON.stringify({ 'whisper-1': 0.001 }))
  const transcribe = async (sound: string) => {
    const form = new FormData()
    form.set('model', 'whisper-1')
    form.set('file', new Blob([sound]), 'sound.wav')
    return fetch(`${world.url}/v1/audio/transcriptions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.key}`, 'idempotency-key': 'form-1' },
      body: form,
    })
  }
  const first = await transcribe('one')
  expect(first.status).toBe(200)
  const again = await transcribe('one')
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true'])
  expect(await again.text()).toBe(await first.text())
  expect((await transcribe('two')).status).toBe(422)
  expect(world.upstream.seen).toHaveLength(1)
})

test('a client that disconnects before its reply is ready gets it on a retry', async () => {
  const { waiting, answer } = waitingUpstream()
  const world = await openTestRelay(answer)
  const leaving = new AbortController()
  const first = world.chat(ask(MODEL), { ...keyed('order-1'), signal: leaving.signal })
  await expect.poll(() => waiting.length).toBe(1)
  leaving.abort()
  await expect(first).rejects.toThrow()
  // No charge was made, so the key is free.
  const again = world.chat(ask(MODEL), keyed('order-1'))
  await expect.poll(() => waiting.length).toBe(2)
  waiting.splice(0).forEach(reply)
  expect((await again).status).toBe(200)
  expect(await spent(world)).toBe(COST)
})
