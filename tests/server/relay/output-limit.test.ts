import { describe, expect, test } from 'vitest'
import { factsByName } from '../../../core/pricing/output-facts.ts'
import { fileTokens, promptFile } from '../../../server/relay/counting/files.ts'
import { countPages } from '../../../server/relay/counting/pdf-pages.ts'
import { expectExactBooks, expectNothingHeld, otherOf } from '../../support/books.ts'
import { ask, expectRefusal } from '../../support/chat.ts'
import { MODEL, openTestRelay, PRICE } from '../../support/gateway.ts'
import {
  completion,
  type Exchange,
  onlyRequest,
  say,
  sendJson,
  sendStream,
  stopChunk,
  usage,
  usageChunk,
} from '../../support/hand-made-upstream.ts'

/** What one completion token costs. */
const TOKEN = PRICE.modelRatio * PRICE.completionRatio
const reply = (exchange: Exchange) =>
  exchange.body.stream
    ? sendStream(exchange, [say('hi'), stopChunk(), usageChunk(usage(9, 3))])
    : sendJson(exchange, completion('hi', usage(9, 3)))

/** A balance for so many completion tokens. */
const openPoor = (tokens: number, answer = reply) => openTestRelay(answer, { user: { quota: tokens * TOKEN } })

describe('a request without a limit', () => {
  test('with a small balance is sent with the limit that a quarter of it covers', async () => {
    const fixture = await openPoor(8000)

    expect((await fixture.chat(ask(MODEL))).status).toBe(200)

    const limit = Number(onlyRequest(fixture.upstream).body.max_tokens)
    expect(limit).toBeGreaterThan(1980)
    expect(limit).toBeLessThanOrEqual(2000)
    const [log] = await expectExactBooks(fixture)
    expect(Number(log && otherOf(log).hold)).toBeLessThanOrEqual(2010 * TOKEN)
    await expectNothingHeld(fixture)
  })

  test('with a very small balance is sent with 512 tokens, or the remainder', async () => {
    for (const [tokens, least, most] of [
      [800, 510, 512],
      [100, 80, 100],
    ] as const) {
      const fixture = await openPoor(tokens)
      expect((await fixture.chat(ask(MODEL))).status).toBe(200)
      const limit = Number(onlyRequest(fixture.upstream).body.max_tokens)
      expect(limit).toBeGreaterThanOrEqual(least)
      expect(limit).toBeLessThanOrEqual(most)
    }
  })

  test('is rejected if the balance does not cover its prompt and one token', async () => {
    const fixture = await openTestRelay(reply, { user: { quota: 40 } })
    expectRefusal(await fixture.chat(ask(MODEL)), { status: 403, code: 'insufficient_user_quota' })
    expect(fixture.upstream.seen).toEqual([])
  })

  test('is sent unchanged if the balance is ample, or the option is off', async () => {
    const ample = await openPoor(50_000)
    const off = await openPoor(8000)
    await off.toolkit.options.set(off.root, 'LimitOutputToBalance', 'false')

    for (const fixture of [ample, off]) {
      expect((await fixture.chat(ask(MODEL))).status).toBe(200)
      expect(onlyRequest(fixture.upstream).body).toEqual(ask(MODEL))
    }
  })

  test('of a stream with only visible costs needs no limit; otherwise it does', async () => {
    const plain = await openPoor(8000)
    const hidden = await openPoor(8000)
    await hidden.toolkit.options.set(hidden.root, 'PlainModels', '')

    for (const fixture of [plain, hidden])
      expect((await fixture.chat(ask(MODEL, { stream: true }))).complete).toBe(true)

    expect(onlyRequest(plain.upstream).body).not.toHaveProperty('max_tokens')
    expect(onlyRequest(hidden.upstream).body.max_tokens).toBeGreaterThan(1980)
  })

  test('with max_tokens null, or a limit that upstreams ignore, gets one', async () => {
    const fixture = await openPoor(8000)
    await fixture.chat(ask(MODEL, { max_tokens: null }))
    await fixture.chat(ask(MODEL, { max_output_tokens: 1, thinking_budget: 1 }))
    const limits = fixture.upstream.seen.map(({ body }) => Number(body.max_tokens))
    expect(limits.every((limit) => limit > 1900)).toBe(true)
  })

  test('is retried with a smaller limit if an upstream rejects the added one', async () => {
    const fixture = await openPoor(30_000, (exchange) => {
      const isTooLarge = Number(exchange.body.max_tokens) > 2048
      if (!isTooLarge) return reply(exchange)
      const message = 'max_tokens is too large: 4000. This model supports at most 2048 completion tokens.'
      return sendJson(exchange, { error: { message, type: 'invalid_request_error', code: 'invalid_value' } }, 400)
    })
    await fixture.toolkit.options.set(fixture.root, 'OutputTokensMax', '{}')

    expect((await fixture.chat(ask(MODEL))).status).toBe(200)

    expect(fixture.upstream.seen.map(({ body }) => Number(body.max_tokens) > 2048)).toEqual([true, false])
    expect(fixture.upstream.seen[1]?.body.max_tokens).toBe(2048)
  })

  test('gets a limit in the format of each dialect', async () => {
    const fixture = await openPoor(8000)
    await fixture.chat({ model: MODEL, prompt: 'hello' }, { path: '/v1/completions' })
    const contents = [{ role: 'user', parts: [{ text: 'hello' }] }]
    await fixture.chat({ contents }, { path: `/v1beta/models/${MODEL}:generateContent` })
    await fixture.chat({ model: MODEL, input: 'hello' }, { path: '/v1/responses' })

    const limits = fixture.upstream.seen.map(({ body }) => Number(body.max_tokens ?? body.max_output_tokens))
    expect(limits).toHaveLength(3)
    expect(limits.every((limit) => limit > 1900 && limit <= 2000)).toBe(true)
  })
})

test.each([
  ['gpt-4o-mini', 16_384, false],
  ['openai/gpt-4o', 16_384, false],
  ['o3-mini-high', 100_000, true],
  ['gpt-5.1-chat-latest', 16_384, false],
  ['gpt-5', 131_072, true],
  ['claude-3-5-sonnet-20241022', 8192, false],
  ['us.anthropic.claude-sonnet-4-20250514-v1:0', 64_000, true],
  ['claude-3-7-sonnet-20250219-thinking', 128_000, true],
  ['gemini-2.0-flash', 8192, false],
  ['models/gemini-2.5-pro', 65_536, true],
  ['deepseek-chat', 8192, false],
  ['deepseek-reasoner', undefined, true],
  ['a-model-of-ones-own', undefined, true],
])('%s generates at most %s tokens; hidden reasoning: %s', (model, tokensMax, hidesReasoning) =>
  expect(factsByName(model)).toEqual({ tokensMax, hidesReasoning }),
)

describe('files', () => {
  const pdf = (pages: number, more = '') =>
    Buffer.from(
      `%PDF-1.4\n1 0 obj << /Type /Pages /Kids [${'3 0 R '.repeat(pages)}] /Count ${pages} >>\n3 0 obj << /Type/Page >>\n${more}`,
    )
  const most = (file: Parameters<typeof fileTokens>[0][number], model: string) =>
    fileTokens([file], { model }, 'most').tokens

  test('a PDF has as many pages as its list, also with repeated pages', () => {
    expect(countPages(pdf(12))).toBe(12)
    expect(countPages(pdf(12, '/Count 40'))).toBe(40)
  })

  test('compressed, encrypted or escaped pages cannot be counted', () => {
    for (const hidden of ['<< /Type /ObjStm >>', '/Encrypt 9 0 R', '<< /Type /P#61ge >>']) {
      expect(countPages(pdf(1, hidden))).toBeUndefined()
    }
    expect(countPages(Buffer.from('%PDF-1.4 nothing'))).toBeUndefined()
  })

  test("are held at the vendor's rates: pages, tiles, seconds", () => {
    const data = pdf(10).toString('base64')
    expect(most(promptFile(data, 'application/pdf'), 'gemini-2.5-pro')).toBe(10 * 1120)
    expect(most(promptFile(`data:application/pdf;base64,${data}`, undefined), 'gpt-4o')).toBe(10 * 4600)
    expect(most({ kind: 'image', bytes: 10 }, 'gpt-4o')).toBe(1445)
    expect(most({ kind: 'image', bytes: 10 }, 'gpt-4o-mini')).toBe(48_169)
    expect(most({ kind: 'video', bytes: 200_000 }, 'gemini-2.5-pro')).toBe(29_000)
  })

  test('of unknown size are held at the maximum of the model', () => {
    expect(
      fileTokens([promptFile(undefined, 'application/zip')], { model: 'gpt-4o', contextWindow: 128_000 }, 'most')
        .tokens,
    ).toBe(128_000)
    expect(most(promptFile('https://files.example/film.mp4', 'video/mp4'), 'gemini-2.5-pro')).toBe(1_048_576)
  })
})
