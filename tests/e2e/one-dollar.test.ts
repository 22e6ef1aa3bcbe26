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

/** What a model that obeys limits writes at most, under whatever name the limit came. */
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
  /** Gemini. */
  type?: number
  path?: string
  body: Record<string, unknown>
  reply(exchange: Exchange): Promise<unknown> | unknown
}

const HELLO = [{ role: 'user', content: 'Write as much as you can.' }]

const RUNS: Run[] = [
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
    type: 24,
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
  const world = await openTestGateway({ config: { relayTimeoutMs: 60_000 } })
  await world.channel({ base_url: upstream.url, models: run.model, ...(run.type && { type: run.type }) })
  const { person, key } = await customer(world, { user: { quota: DOLLAR } })
  const call = { url: world.url, key, body: { model: run.model, ...run.body }, ...(run.path && { path: run.path }) }

  const answers = await Promise.all(Array.from({ length: PARALLEL }, () => post(call)))

  const served = answers.filter(({ status }) => status === 200)
  expect(answers.every(({ status }) => status === 200 || status === 403)).toBe(true)
  const consumed = DOLLAR - (await world.balance(person))
  console.log(
    `${run.name} (${run.model}): ${served.length} of ${PARALLEL} served, consumed / balance = ${(consumed / DOLLAR).toFixed(3)}`,
  )
  expect(served.length).toBeGreaterThan(0)
  expect(upstream.seen).toHaveLength(served.length)
  expect(consumed).toBeGreaterThan(0.1 * DOLLAR)
  expect(consumed).toBeLessThanOrEqual(TOLERANCE * DOLLAR)
  await expectNothingHeld(world)
  await expectExactBooks(world)
})
