import { createServer } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { expectExactBooks, expectNothingHeld } from '../../support/books.ts'
import { ask, expectRefusal } from '../../support/chat.ts'
import { MODEL, openTestRelay, priceOf } from '../../support/gateway.ts'
import { type Exchange, sendJson } from '../../support/hand-made-upstream.ts'
import { freePort } from '../../support/server-process.ts'

/*
 * Upstreams that want more than a key in a header: tokens that are asked for first, signatures, websockets.
 */

const REPLY = { id: 'as-1', result: 'hello', usage: { prompt_tokens: 11, total_tokens: 13 } }

/** Baidu, which gives tokens by their number and takes no more than the good one. */
function baidu({ good }: { good: string }) {
  let given = 0
  return (exchange: Exchange) => {
    if (exchange.path.startsWith('/oauth/')) {
      given += 1
      return sendJson(exchange, { access_token: `token-${given}`, expires_in: 2_592_000 })
    }
    const refused = !exchange.path.endsWith(`access_token=${good}`)
    return sendJson(exchange, refused ? { error_code: 110, error_msg: 'Access token invalid' } : REPLY)
  }
}
const BAIDU = { type: 15, key: 'the-api-key|the-secret-key' }

describe('an access token revoked by Baidu', () => {
  test('is requested again once, and the client gets its reply and pays for it', async () => {
    const fixture = await openTestRelay(baidu({ good: 'token-2' }), { channel: BAIDU })

    const answer = await fixture.chat(ask(MODEL))

    expect(answer.status).toBe(200)
    expect(answer.json).toMatchObject({ choices: [{ message: { content: 'hello' }, finish_reason: 'stop' }] })
    expect(fixture.upstream.seen.map(({ path }) => path.split('?')[0])).toEqual([
      '/oauth/2.0/token',
      `/rpc/2.0/ai_custom/v1/wenxinworkshop/chat/${MODEL}`,
      '/oauth/2.0/token',
      `/rpc/2.0/ai_custom/v1/wenxinworkshop/chat/${MODEL}`,
    ])
    expect(await expectExactBooks(fixture)).toMatchObject([{ quota: priceOf(11, 2) }])
  })

  test('twice is a failure that costs nothing', async () => {
    const fixture = await openTestRelay(baidu({ good: 'none' }), { channel: BAIDU })

    const answer = await fixture.chat(ask(MODEL))

    expectRefusal(answer, { status: 503, code: '110' })
    expect(answer.text).not.toContain('the-secret-key')
    expect(fixture.upstream.seen).toHaveLength(4)
    await expectNothingHeld(fixture)
    expect(await expectExactBooks(fixture)).toEqual([])
  })
})

test('a Hunyuan embeddings error with status 200 costs nothing, and its key stays secret', async () => {
  const refusal = { Error: { Code: 'AuthFailure.SecretIdNotFound', Message: 'No such id: secret-id-77' } }
  const fixture = await openTestRelay((exchange) => sendJson(exchange, { Response: refusal }), {
    channel: { type: 23, key: '1250000|secret-id-77|secret-key-77' },
  })

  const answer = await fixture.chat({ model: MODEL, input: 'one' }, { path: '/v1/embeddings' })

  expect(answer.status).toBe(401)
  expect(answer.text).not.toContain('secret-id-77')
  await expectNothingHeld(fixture)
  expect(await expectExactBooks(fixture)).toEqual([])
})

/** Spark: each connection gets these frames once it has said something. */
async function startSpark(frames: readonly object[]): Promise<{ url: string; requests: Record<string, unknown>[] }> {
  const port = await freePort()
  const server = createServer()
  const sockets = new WebSocketServer({ server })
  const requests: Record<string, unknown>[] = []
  sockets.on('connection', (socket) => {
    socket.on('message', (data) => {
      requests.push(JSON.parse(data.toString()))
      for (const frame of frames) socket.send(JSON.stringify(frame))
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets.clients) socket.terminate()
    sockets.close()
    server.close()
  })
  return { url: `http://127.0.0.1:${port}`, requests }
}
const frame = (status: number, content: string, usage?: object) => ({
  header: { code: 0, message: 'Success', sid: 's-1', status },
  payload: {
    choices: { status, seq: status, text: [{ content, role: 'assistant', index: 0 }] },
    ...(usage && { usage }),
  },
})

test.each([true, false])('a reply over Spark’s websocket is a chat completion, stream: %s', async (stream) => {
  const spark = await startSpark([
    frame(0, 'Hel'),
    frame(1, 'lo'),
    frame(2, '', { text: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 } }),
  ])
  const channel = { type: 18, key: 'app-id|the-api-secret|the-api-key', base_url: spark.url }
  const fixture = await openTestRelay(() => {}, { channel })

  const answer = await fixture.chat(ask(MODEL, { stream }))

  expect(answer.status).toBe(200)
  if (stream) {
    expect(answer.text).toContain('"content":"Hel"')
    expect(answer.text).toMatch(/"finish_reason":"stop"[\s\S]*data: \[DONE\]\n\n$/)
  } else expect(answer.json).toMatchObject({ choices: [{ message: { content: 'Hello' }, finish_reason: 'stop' }] })
  expect(spark.requests).toMatchObject([{ header: { app_id: 'app-id' }, parameter: { chat: { domain: 'lite' } } }])
  expect(await expectExactBooks(fixture)).toMatchObject([{ quota: priceOf(5, 2) }])
})
