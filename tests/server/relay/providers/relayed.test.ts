import { describe, expect, test } from 'vitest'
import { credentialHeaders } from '../../../../server/relay/providers/bedrock/signature.ts'
import { frame, frames } from '../../../support/aws-frames.ts'
import { expectExactBooks, expectNothingHeld } from '../../../support/books.ts'
import { ask } from '../../../support/chat.ts'
import { countInEarnest } from '../../../support/counting.ts'
import { MODEL, openTestRelay as open, priceOf } from '../../../support/gateway.ts'
import { onlyRequest, sendJson } from '../../../support/hand-made-upstream.ts'

countInEarnest()

const FRAMES = 'application/vnd.amazon.eventstream'
const BEDROCK = { type: 33, key: 'AKIDEXAMPLE|secret|us-east-1' }

describe('Bedrock behind the gateway', () => {
  test('frames split anywhere become chunks, and their usage is charged', async () => {
    const wire = frames(
      ['messageStart', { role: 'assistant' }],
      ['contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'Größe ' } }],
      ['contentBlockDelta', { contentBlockIndex: 0, delta: { text: '🙂' } }],
      ['contentBlockStop', { contentBlockIndex: 0 }],
      ['messageStop', { stopReason: 'end_turn' }],
      ['metadata', { usage: { inputTokens: 11, outputTokens: 4, totalTokens: 15 } }],
    )
    const fixture = await open(
      async ({ response }) => {
        response.writeHead(200, { 'content-type': FRAMES })
        for (let at = 0; at < wire.length; at += 50) {
          response.write(wire.subarray(at, at + 50))
          await new Promise((resolve) => setImmediate(resolve))
        }
        response.end()
      },
      { channel: BEDROCK },
    )
    const answer = await fixture.chat(ask(MODEL, { stream: true }))
    expect(answer).toMatchObject({ status: 200, content: 'Größe 🙂', complete: true })
    expect(onlyRequest(fixture.upstream).path).toBe(`/model/${MODEL}/converse-stream`)
    await expectNothingHeld(fixture)
    expect(await expectExactBooks(fixture)).toMatchObject([{ quota: priceOf(11, 4) }])
  })

  test('an exception before the first token is a reply with its status, and free', async () => {
    const head = { ':message-type': 'exception', ':exception-type': 'validationException' }
    const fixture = await open(
      ({ response }) => {
        response.writeHead(200, { 'content-type': FRAMES })
        response.end(frame(head, { message: 'bad schema' }))
      },
      { channel: BEDROCK },
    )
    const answer = await fixture.chat(ask(MODEL, { stream: true }))
    expect(answer.status).toBe(400)
    expect(answer.json.error?.message).toContain('bad schema')
    await expectNothingHeld(fixture)
    expect(await expectExactBooks(fixture)).toEqual([])
  })

  test("the sent request is the signed one, with the channel's overrides", async () => {
    const reply = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-3-haiku-20240307',
      content: [{ type: 'text', text: 'Hi' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 11, output_tokens: 4 },
      'new-field': [1],
    }
    const fixture = await open((exchange) => sendJson(exchange, reply), {
      channel: {
        ...BEDROCK,
        model_mapping: JSON.stringify({ [MODEL]: 'claude-3-haiku-20240307' }),
        setting: JSON.stringify({ param_override: { temperature: 0 } }),
      },
    })
    const body = { ...ask(MODEL), max_tokens: 9 }
    const answer = await fixture.chat(body, { path: '/v1/messages' })
    expect(answer.json).toEqual({ ...reply, model: MODEL })
    const { path, headers, raw, body: sent } = onlyRequest(fixture.upstream)
    expect(path).toBe('/model/us.anthropic.claude-3-haiku-20240307-v1%3A0/invoke')
    expect(sent).toEqual({
      anthropic_version: 'bedrock-2023-05-31',
      max_tokens: 9,
      messages: body.messages,
      temperature: 0,
    })
    const at = String(headers['x-amz-date']).replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z')
    const proof = await credentialHeaders(
      {
        url: fixture.upstream.url + path,
        body: raw.toString('utf8'),
        contentType: 'application/json',
        at: new Date(at),
      },
      { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret', region: 'us-east-1' },
    )
    expect(headers.authorization).toBe(proof.authorization)
    expect(await expectExactBooks(fixture)).toMatchObject([{ quota: priceOf(11, 4) }])
  })
})

describe('rankings and pictures behind the gateway', () => {
  test("a ranking is in the common format, and charged by the upstream's usage", async () => {
    const results = [
      { index: 0, relevance_score: 0.1 },
      { index: 1, relevance_score: 0.9 },
    ]
    const meta = { billed_units: { input_tokens: 7 } }
    const fixture = await open((exchange) => sendJson(exchange, { id: 'r', results, meta }), { channel: { type: 34 } })
    const body = { model: MODEL, query: 'q', documents: ['a', 'b'], return_documents: true, top_n: 1 }
    const answer = await fixture.chat(body, { path: '/v1/rerank' })
    expect(answer.json).toMatchObject({ results: [{ index: 1, relevance_score: 0.9, document: { text: 'b' } }] })
    expect(await expectExactBooks(fixture)).toMatchObject([{ quota: priceOf(7, 0) }])
  })

  test('a job that failed is an error, and free', async () => {
    const output = { task_id: 'j', task_status: 'FAILED', code: 'DataInspectionFailed', message: 'no such picture' }
    const fixture = await open((exchange) => sendJson(exchange, { output }), { channel: { type: 17 } })
    const answer = await fixture.chat({ model: MODEL, prompt: 'a' }, { path: '/v1/images/generations' })
    expect(answer.status).toBe(400)
    expect(answer.json.error?.message).toContain('no such picture')
    await expectNothingHeld(fixture)
    expect(await expectExactBooks(fixture)).toEqual([])
  })
})
