import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { expectExactBooks, expectNothingHeld } from '../support/books.ts'
import { post } from '../support/chat.ts'
import { customer, openTestGateway } from '../support/gateway.ts'
import {
  completion,
  DONE,
  type Exchange,
  event,
  say,
  sendJson,
  startStream,
  startUpstream,
  stopChunk,
  usage,
  usageChunk,
} from '../support/hand-made-upstream.ts'

const DOLLAR = 500_000
const PARALLEL = 250
/** What the issue of a balance may be off: a report that differs from the estimate by a little. */
const TOLERANCE = 1.05
/** All requests are on their way before the first is answered. */
const THINKING_MS = 1500
/** On a slow machine, all bodies of a run arrive at the same time: 130 MB. The limit of such bodies has its own tests. */
const BODY_LIMITS = { inAll: 1e9, ofAddress: 1e9, ofUser: 1e9 }

/** Returns the tokens that an obedient model writes: the limit, under any of its names. */
function written({ body }: Exchange, tokensMax: number): number {
  const config = (body.generationConfig ?? {}) as Record<string, unknown>
  const limits = [body.max_completion_tokens, body.max_tokens, body.max_output_tokens, config.maxOutputTokens]
  return Math.min(tokensMax, ...limits.filter((limit) => typeof limit === 'number'))
}

/** A PDF of so many pages, none of which is compressed. */
function pdf(pages: number): string {
  const kids = Array.from({ length: pages }, (_, at) => `${at + 3} 0 R`).join(' ')
  const objects = Array.from({ length: pages }, (_, at) => `${at + 3} 0 obj\n<< /Type /Page /Parent 2 0 R >>\nendobj`)
  const tree = `2 0 obj\n<< /Type /Pages /Kids [${kids}] /Count ${pages} >>\nendobj`
  return Buffer.from(`%PDF-1.4\n${tree}\n${objects.join('\n')}\n%%EOF`).toString('base64')
}

const PDF_PAGES = 30
const FILM_BYTES = 400_000
/** At 30 kB a second, 258 tokens for its frame and 32 for its sound. */
const FILM_TOKENS = (FILM_BYTES / 30_000) * 290

interface Run {
  name: string
  model: string
  type?: number
  setting?: Record<string, unknown>
  path?: string
  body: Record<string, unknown>
  reply(exchange: Exchange): Promise<unknown> | unknown
}

const HELLO = [{ role: 'user', content: 'Write as much as you can.' }]

const CLAUDE = 'claude-sonnet-4-5-20250929'
const ANTHROPIC = 14
const GEMINI = 24

/** A reply of Claude whose prompt has what its tools have read. */
const claudeReply = (input_tokens: number, tools: Record<string, number>) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: CLAUDE,
  content: [{ type: 'text', text: 'Much.' }],
  stop_reason: 'end_turn',
  usage: { input_tokens, output_tokens: 10, server_tool_use: tools },
})

const RUNS: Run[] = [
  {
    name: 'a tool that reads addresses',
    model: CLAUDE,
    type: ANTHROPIC,
    path: '/v1/messages',
    body: { max_tokens: 10, messages: HELLO, tools: [{ type: 'web_fetch_20250910', name: 'web_fetch' }] },
    reply: (exchange) => sendJson(exchange, claudeReply(190_000, { web_fetch_requests: 3 })),
  },
  {
    name: 'searches',
    model: CLAUDE,
    type: ANTHROPIC,
    path: '/v1/messages',
    body: { max_tokens: 10, messages: HELLO, tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
    reply(exchange) {
      const [{ max_uses: searches }] = exchange.body.tools as [{ max_uses: number }]
      sendJson(exchange, claudeReply(9000 * searches, { web_search_requests: searches }))
    },
  },
  {
    name: 'a server of tools',
    model: 'gpt-4o',
    setting: { dialects: ['openai-chat', 'openai-responses'] },
    path: '/v1/responses',
    body: {
      input: 'Read all.',
      max_output_tokens: 16,
      tools: [{ type: 'mcp', server_label: 'all', server_url: 'https://all.example', require_approval: 'never' }],
    },
    reply(exchange) {
      const message = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Much.' }] }
      const used = { input_tokens: 120_000, output_tokens: 10, total_tokens: 120_010 }
      sendJson(exchange, {
        id: `resp_${performance.now()}`,
        object: 'response',
        status: 'completed',
        output: [message],
        usage: used,
      })
    },
  },
  {
    name: 'addresses at Gemini',
    model: 'gemini-2.5-flash',
    type: GEMINI,
    path: '/v1beta/models/gemini-2.5-flash:generateContent',
    body: {
      contents: [{ role: 'user', parts: [{ text: 'Read them.' }] }],
      tools: [{ url_context: {} }],
      generationConfig: { maxOutputTokens: 10 },
    },
    reply: (exchange) =>
      sendJson(exchange, {
        candidates: [{ content: { role: 'model', parts: [{ text: 'Much.' }] }, finishReason: 'STOP' }],
        usageMetadata: {
          promptTokenCount: 10,
          toolUsePromptTokenCount: 900_000,
          candidatesTokenCount: 10,
          totalTokenCount: 900_020,
        },
      }),
  },
  {
    name: 'speech',
    model: 'gpt-4o-audio-preview',
    body: { modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'wav' }, messages: HELLO },
    reply(exchange) {
      const tokens = written(exchange, 16_384)
      const reported = { ...usage(14, tokens), completion_tokens_details: { audio_tokens: tokens } }
      sendJson(exchange, completion('A long text.', reported))
    },
  },
  {
    name: 'a picture of no size',
    model: 'gpt-image-1',
    path: '/v1/images/generations',
    body: { prompt: 'a large hill' },
    reply: (exchange) =>
      sendJson(exchange, {
        created: 1,
        data: [{ b64_json: 'AAAA' }],
        usage: { input_tokens: 10, output_tokens: 6240, total_tokens: 6250 },
      }),
  },
  {
    name: 'no max_tokens',
    model: 'gpt-4o',
    body: { messages: HELLO },
    reply: (exchange) => sendJson(exchange, completion('A long text.', usage(14, written(exchange, 16_384)))),
  },
  {
    name: 'a stream with hidden reasoning',
    model: 'o3-mini',
    body: { messages: HELLO, stream: true },
    async reply(exchange) {
      startStream(exchange)
      exchange.response.write(event(say('Hm.')))
      await sleep(100)
      const reported = { ...usage(14, written(exchange, 100_000)), completion_tokens_details: { reasoning_tokens: 1 } }
      exchange.response.end([stopChunk(), usageChunk(reported)].map(event).join('') + DONE)
    },
  },
  {
    name: 'a PDF',
    model: 'gpt-4o',
    body: {
      max_tokens: 50,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Sum it up.' },
            { type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${pdf(PDF_PAGES)}` } },
          ],
        },
      ],
    },
    reply: (exchange) => sendJson(exchange, completion('Short.', usage(PDF_PAGES * 4000 + 14, 50))),
  },
  {
    name: 'a film',
    model: 'gemini-2.5-pro',
    type: GEMINI,
    path: '/v1beta/models/gemini-2.5-pro:generateContent',
    body: {
      contents: [
        {
          role: 'user',
          parts: [
            { text: 'What happens?' },
            { inlineData: { mimeType: 'video/mp4', data: Buffer.alloc(FILM_BYTES).toString('base64') } },
          ],
        },
      ],
    },
    reply(exchange) {
      const output = written(exchange, 65_536)
      sendJson(exchange, {
        candidates: [{ content: { role: 'model', parts: [{ text: 'Much.' }] }, finishReason: 'STOP' }],
        usageMetadata: {
          promptTokenCount: Math.ceil(FILM_TOKENS) + 14,
          candidatesTokenCount: 10,
          thoughtsTokenCount: output - 10,
          totalTokenCount: Math.ceil(FILM_TOKENS) + 14 + output,
        },
      })
    },
  },
]

test.each(RUNS)('250 parallel requests on one dollar consume one dollar: $name', async (run) => {
  const upstream = await startUpstream(async (exchange) => {
    await sleep(THINKING_MS)
    await run.reply(exchange)
  })
  const fixture = await openTestGateway({ config: { relayTimeoutMs: 60_000, bodyLimits: BODY_LIMITS } })
  const { type, setting } = run
  await fixture.channel({
    base_url: upstream.url,
    models: run.model,
    ...(type && { type }),
    ...(setting && { setting: JSON.stringify(setting) }),
  })
  const { person, key } = await customer(fixture, { user: { quota: DOLLAR } })
  const call = { url: fixture.url, key, body: { model: run.model, ...run.body }, ...(run.path && { path: run.path }) }

  const answers = await Promise.all(Array.from({ length: PARALLEL }, () => post(call)))

  const served = answers.filter(({ status }) => status === 200)
  const others = answers.filter(({ status }) => status !== 200 && status !== 403)
  expect([...new Set(others.map(({ status, text }) => `${status} ${text}`))].join('\n')).toBe('')
  const consumed = DOLLAR - (await fixture.balance(person))
  console.log(
    `${run.name} (${run.model}): ${served.length} of ${PARALLEL} served, consumed / balance = ${(consumed / DOLLAR).toFixed(3)}`,
  )
  expect(served.length).toBeGreaterThan(0)
  expect(upstream.seen).toHaveLength(served.length)
  expect(consumed).toBeGreaterThan(0.1 * DOLLAR)
  expect(consumed).toBeLessThanOrEqual(TOLERANCE * DOLLAR)
  await expectNothingHeld(fixture)
  await expectExactBooks(fixture)
})
