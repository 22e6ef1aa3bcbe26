import { expect, test } from 'vitest'
import { charges } from '../../support/books.ts'
import { ask } from '../../support/chat.ts'
import { CHANNEL_KEY, MODEL } from '../../support/gateway.ts'
import {
  chunk,
  completion,
  onlyRequest,
  sendJson,
  sendStream,
  stopChunk,
  usage,
} from '../../support/hand-made-upstream.ts'
import { startSocksProxy } from '../../support/proxies.ts'
import { reusedRelay } from '../../support/reused.ts'

const openRelay = reusedRelay()

const setting = (settings: object) => ({ setting: JSON.stringify(settings) })

test('a channel with a proxy is called through it, with its settings applied to the request', async () => {
  const proxy = await startSocksProxy()
  const fixture = await openRelay((exchange) => sendJson(exchange, completion('ok', usage(5, 5))), {
    channel: setting({
      proxy: proxy.url,
      param_override: { temperature: 0, top_k: 1 },
      header_override: { authorization: 'Token {api_key}', 'x-trace': '{client_header:x-trace}' },
    }),
  })

  const answer = await fixture.chat(ask(MODEL, { temperature: 1 }), { headers: { 'x-trace': 'abc' } })

  expect(answer.content).toBe('ok')
  expect(proxy.requests).toEqual([new URL(fixture.upstream.url).host])
  const { body, headers } = onlyRequest(fixture.upstream)
  expect(body).toMatchObject({ temperature: 0, top_k: 1 })
  expect(headers).toMatchObject({ authorization: `Token ${CHANNEL_KEY}`, 'x-trace': 'abc' })
})

test('a service tier is forwarded only if its channel allows it', async () => {
  const fixture = await openRelay((exchange) => sendJson(exchange, completion('ok', usage(5, 5))))
  const dear = ask(MODEL, { service_tier: 'priority' })

  await fixture.chat(dear)
  await fixture.toolkit.channels.update(fixture.root, fixture.servedBy.id, setting({ allow_service_tier: true }))
  const sent = async () => {
    await fixture.chat(dear)
    return fixture.upstream.seen.at(-1)?.body
  }
  await expect.poll(sent).toEqual(dear)

  expect(fixture.upstream.seen[0]?.body).toEqual(ask(MODEL))
})

test('reasoning becomes text if the channel is set so, in whole replies and in streams', async () => {
  const fixture = await openRelay(
    (exchange) =>
      exchange.body.stream
        ? sendStream(exchange, [chunk({ reasoning_content: 'Hm.' }), chunk({ content: 'Yes' }), stopChunk()])
        : sendJson(exchange, {
            ...completion('Yes', usage(5, 5)),
            choices: [
              {
                index: 0,
                message: { role: 'assistant', content: 'Yes', reasoning_content: 'Hm.' },
                finish_reason: 'stop',
              },
            ],
          }),
    { channel: setting({ thinking_to_content: true }) },
  )

  expect((await fixture.chat(ask(MODEL))).content).toBe('<think>\nHm.\n</think>\nYes')
  expect((await fixture.chat(ask(MODEL, { stream: true }))).content).toBe('<think>\nHm.\n</think>\nYes')
})

test('a Dify agent, which only streams, also serves whole replies, charged by its usage', async () => {
  const fixture = await openRelay(
    (exchange) =>
      sendStream(
        exchange,
        [
          { event: 'agent_message', message_id: 'm1', answer: 'Hel' },
          { event: 'agent_message', message_id: 'm1', answer: 'lo' },
          { event: 'message_end', message_id: 'm1', metadata: { usage: { prompt_tokens: 7, completion_tokens: 3 } } },
        ],
        '',
      ),
    { channel: { type: 37, other: 'agent' } },
  )

  const answer = await fixture.chat(ask(MODEL))

  expect(answer.content).toBe('Hello')
  expect(answer.json.usage).toMatchObject({ prompt_tokens: 7, completion_tokens: 3 })
  expect(onlyRequest(fixture.upstream)).toMatchObject({
    path: '/v1/chat-messages',
    body: { response_mode: 'streaming' },
  })
  expect((await charges(fixture))[0]).toMatchObject({ prompt_tokens: 7, completion_tokens: 3 })
})

test('a Coze bot is polled until it has replied', async () => {
  const fixture = await openRelay(
    (exchange) => {
      if (exchange.path.startsWith('/v3/chat/retrieve')) {
        const used = { input_count: 7, output_count: 3, token_count: 10 }
        return sendJson(exchange, { code: 0, data: { id: 'chat-1', status: 'completed', usage: used } })
      }
      if (exchange.path.startsWith('/v3/chat/message/list')) {
        return sendJson(exchange, { code: 0, data: [{ role: 'assistant', type: 'answer', content: 'Hello' }] })
      }
      return sendJson(exchange, { code: 0, data: { id: 'chat-1', conversation_id: 'c1', status: 'in_progress' } })
    },
    { channel: { type: 49, other: 'bot-1' } },
  )

  const answer = await fixture.chat(ask(MODEL))

  expect(answer.content).toBe('Hello')
  expect(answer.json.usage).toMatchObject({ prompt_tokens: 7, completion_tokens: 3 })
  expect(fixture.upstream.seen).toHaveLength(3)
})

test('a Coze stream is translated as it arrives, and ends like one of OpenAI', async () => {
  const fixture = await openRelay(
    ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(
        [
          'event:conversation.message.delta\ndata:{"id":"m1","role":"assistant","type":"answer","content":"Hel"}\n\n',
          'event:conversation.message.delta\ndata:{"id":"m1","role":"assistant","type":"answer","content":"lo"}\n\n',
          'event:conversation.chat.completed\ndata:{"id":"chat-1","usage":{"input_count":7,"output_count":3}}\n\n',
          'event:done\ndata:"[DONE]"\n\n',
        ].join(''),
      )
    },
    { channel: { type: 49, other: 'bot-1' } },
  )

  const answer = await fixture.chat(ask(MODEL, { stream: true }))

  expect(answer).toMatchObject({ content: 'Hello', complete: true })
})
