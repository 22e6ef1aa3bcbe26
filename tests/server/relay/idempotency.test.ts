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
        const fixture = await open()
        const gateway = await serve(fixture, { settings })
        return { ...fixture, gateway, url: gateway.url }
      },
    })

  test('runs once of fifty concurrent calls, is charged once, and repeats the same reply', async () => {
    const { waiting, answer } = waitingUpstream()
    const fixture = await relay(answer)
    const all = Array.from({ length: 50 }, () => fixture.chat(ask(MODEL), keyed('order-1')))
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
    const again = await fixture.chat(ask(MODEL), keyed('order-1'))
    expect(again).toMatchObject({ status: 200, text: served?.text, requestId: served?.requestId })
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(fixture.upstream.seen).toHaveLength(1)
    expect(await spent(fixture)).toBe(COST)
  })

  test('is rejected with another body or path, and is separate for another user', async () => {
    const fixture = await relay(reply)
    await fixture.chat(ask(MODEL), keyed('order-1'))

    for (const call of [
      { body: ask(MODEL, { user: 'other' }) },
      { body: { ...ask(MODEL), prompt: 'hello' }, path: '/v1/completions' },
    ]) {
      const refused = await fixture.chat(call.body, { ...call, ...keyed('order-1') })
      expect(refused).toMatchObject({ status: 422, json: { error: { code: 'idempotency_key_reused' } } })
    }
    const other = await customer(fixture)
    const theirs = await post({ url: fixture.url, key: other.key, body: ask(MODEL), ...keyed('order-1') })
    expect(theirs.status).toBe(200)
    expect(theirs.headers.get('idempotent-replayed')).toBeNull()
    const [first, second] = fixture.upstream.seen.map(({ headers }) => headers['idempotency-key'])
    expect(first).toMatch(/^[0-9a-f]{64}$/)
    expect(second).not.toBe(first)
  })

  test('that failed releases its key, and costs nothing', async () => {
    let isBroken = true
    const fixture = await relay((exchange) =>
      isBroken ? sendJson(exchange, { error: { message: 'no' } }, 400) : reply(exchange),
    )
    expect((await fixture.chat(ask(MODEL), keyed('order-1'))).status).toBe(400)
    isBroken = false
    expect((await fixture.chat(ask(MODEL), keyed('order-1'))).status).toBe(200)
    expect(await spent(fixture)).toBe(COST)
    expect(fixture.upstream.seen).toHaveLength(2)
  })

  test('as a stream, is charged once and not repeated', async () => {
    const fixture = await relay((exchange) => sendStream(exchange, [say('hi'), usageChunk(usage(9, 1))], DONE))
    const body = ask(MODEL, { stream: true })
    expect(await fixture.chat(body, keyed('order-1'))).toMatchObject({ complete: true, content: 'hi' })

    await expect
      .poll(() => fixture.chat(body, keyed('order-1')))
      .toMatchObject({ status: 409, json: { error: { code: 'idempotency_key_used' } } })
    expect(fixture.upstream.seen).toHaveLength(1)
    expect(await spent(fixture)).toBe(COST)
  })

  test('with a too large reply is charged once and not repeated', async () => {
    const large = 'x'.repeat(1_100_000)
    const fixture = await relay((exchange) => sendJson(exchange, completion(large, usage(9, 100))))
    expect((await fixture.chat(ask(MODEL), keyed('order-1'))).content).toBe(large)
    expect(await fixture.chat(ask(MODEL), keyed('order-1'))).toMatchObject({
      status: 409,
      json: { error: { code: 'idempotency_key_used' } },
    })
    expect(await spent(fixture)).toBe(priceOf(9, 100))
  })

  test('whose process died runs again, and is one charge though the first was written', async () => {
    const fixture = await relay(reply)
    const first = await fixture.chat(ask(MODEL), keyed('order-1'))
    // As if the process had died between its charge and the keeping of its reply.
    await fixture.toolkit.db.transaction((trx) =>
      trx('relay_outcomes').update({ node_id: 'ended', content_type: null, body: null }),
    )
    const second = await fixture.chat(ask(MODEL), keyed('order-1'))

    expect(second).toMatchObject({ status: 200, requestId: first.requestId })
    expect(fixture.upstream.seen).toHaveLength(2)
    expect(await spent(fixture)).toBe(COST)
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true })
    expect((await fixture.chat(ask(MODEL), keyed('order-1'))).headers.get('idempotent-replayed')).toBe('true')
  })

  test('rejected during an unknown outcome of its claim releases the key', async () => {
    const fixture = await relay(reply)
    await fixture.chat(ask(MODEL))
    const broken = breakTransactions(fixture.toolkit)
    broken.mode = 'after'
    const rejected = await fixture.chat(ask(MODEL), keyed('order-1'))
    expect(rejected.status).toBeGreaterThanOrEqual(500)
    broken.mode = 'works'

    await expect
      .poll(() => fixture.chat(ask(MODEL), keyed('order-1')).then(({ status }) => status), { timeout: 15_000 })
      .toBe(200)
    expect(await spent(fixture)).toBe(2 * COST)
  })

  test('whose claim arrives after its client was rejected releases the key', async () => {
    const fixture = await relay(reply)
    await fixture.chat(ask(MODEL))
    const { db } = fixture.toolkit
    const { transaction } = db
    let isSlow = true
    Object.assign(db, {
      async transaction(work: Parameters<typeof transaction>[0]) {
        const result = await transaction(work)
        if (isSlow) await sleep(6000)
        return result
      },
    })
    expect((await fixture.chat(ask(MODEL), keyed('order-1'))).status).toBe(503)
    isSlow = false

    await expect
      .poll(() => fixture.chat(ask(MODEL), keyed('order-1')).then(({ status }) => status), { timeout: 15_000 })
      .toBe(200)
    expect(await spent(fixture)).toBe(2 * COST)
  })

  test('of a running process is awaited by others', async () => {
    const { waiting, answer } = waitingUpstream()
    const fixture = await relay(answer)
    const other = await serveAnother(fixture)
    const running = fixture.chat(ask(MODEL), keyed('order-1'))
    await expect.poll(() => waiting.length).toBe(1)
    const meanwhile = await post({ url: other, key: fixture.key, body: ask(MODEL), ...keyed('order-1') })
    expect(meanwhile.status).toBe(409)
    waiting.splice(0).forEach(reply)
    const served = await running
    const again = await post({ url: other, key: fixture.key, body: ask(MODEL), ...keyed('order-1') })
    expect(again).toMatchObject({ status: 200, text: served.text })
    expect(await spent(fixture)).toBe(COST)
  })

  test('is forgotten after 24 hours, and its row deleted', async () => {
    const fixture = await relay(reply)
    await fixture.chat(ask(MODEL), keyed('order-1'))
    await fixture.chat(ask(MODEL), keyed('order-2'))
    const { db, relayOutcomes } = fixture.toolkit
    await db.transaction((trx) => trx('relay_outcomes').decrement('created_at', 24 * 3600 + 1))

    const retried = await fixture.chat(ask(MODEL, { user: 'other' }), keyed('order-1'))
    expect(retried.status).toBe(200)
    expect(await relayOutcomes.trim()).toBe(1)
    expect(await db.reader('relay_outcomes').count({ count: '*' })).toEqual([{ count: 1 }])
    expect(await spent(fixture)).toBe(3 * COST)
  })
})

async function serveAnother(fixture: TestToolkit): Promise<string> {
  const gateway = await serve({ ...fixture, toolkit: await fixture.another() })
  return gateway.url
}

test.each(['', '   ', 'x'.repeat(256)])('an invalid key (%#) is rejected', async (key) => {
  const fixture = await openTestRelay(reply)
  const refused = await fixture.chat(ask(MODEL), keyed(key))
  expect(refused).toMatchObject({ status: 400, json: { error: { code: 'invalid_idempotency_key' } } })
  expect(fixture.upstream.seen).toEqual([])
})

test('a form is the same request with another boundary, but not with another file', async () => {
  const fixture = await openTestRelay((exchange) => sendJson(exchange, { text: 'said' }), {
    channel: { models: 'whisper-1' },
  })
  await fixture.toolkit.options.set(fixture.root, 'ModelPrice', JSON.stringify({ 'whisper-1': 0.001 }))
  const transcribe = async (sound: string) => {
    const form = new FormData()
    form.set('model', 'whisper-1')
    form.set('file', new Blob([sound]), 'sound.wav')
    return fetch(`${fixture.url}/v1/audio/transcriptions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${fixture.key}`, 'idempotency-key': 'form-1' },
      body: form,
    })
  }
  const first = await transcribe('one')
  expect(first.status).toBe(200)
  const again = await transcribe('one')
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true'])
  expect(await again.text()).toBe(await first.text())
  expect((await transcribe('two')).status).toBe(422)
  expect(fixture.upstream.seen).toHaveLength(1)
})

test('a client that disconnects before its reply is ready gets it on a retry', async () => {
  const { waiting, answer } = waitingUpstream()
  const fixture = await openTestRelay(answer)
  const leaving = new AbortController()
  const first = fixture.chat(ask(MODEL), { ...keyed('order-1'), signal: leaving.signal })
  await expect.poll(() => waiting.length).toBe(1)
  leaving.abort()
  await expect(first).rejects.toThrow()
  // No charge was made, so the key is free.
  const again = fixture.chat(ask(MODEL), keyed('order-1'))
  await expect.poll(() => waiting.length).toBe(2)
  waiting.splice(0).forEach(reply)
  expect((await again).status).toBe(200)
  expect(await spent(fixture)).toBe(COST)
})
