import type { IncomingHttpHeaders } from 'node:http'
import { describe, expect, test } from 'vitest'
import { MODEL, openTestRelay } from '../support/gateway.ts'
import { sendJson } from '../support/hand-made-upstream.ts'

const ANTHROPIC = 14
const KNOWN = 'interleaved-thinking-2025-05-14'
/** Dearer than the list price, of the account, and not there yet. */
const FOREIGN = ['context-1m-2025-08-07', 'fast-mode-2026-02-01', 'files-api-2025-04-14', 'unheard-of-2030-01-01']
const REPLY = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: MODEL,
  content: [{ type: 'text', text: 'Hi' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 3, output_tokens: 2 },
}

const betasOf = (headers: IncomingHttpHeaders = {}) => headers['anthropic-beta']?.toString().split(',')

/** What the upstream is asked with for a client's betas, in the header and in the body. */
async function betasSeen({ betas, setting = {} }: { betas: string[]; setting?: object }) {
  const relay = await openTestRelay((exchange) => sendJson(exchange, REPLY), {
    channel: { type: ANTHROPIC, setting: JSON.stringify(setting) },
  })
  const body = { model: MODEL, max_tokens: 5, messages: [{ role: 'user', content: 'x' }], anthropic_beta: betas }
  const headers = { 'anthropic-beta': betas.join(', ') }
  const answer = await relay.chat(body, { path: '/v1/messages', headers })
  expect(answer.status).toBe(200)
  await relay.chat(body, { path: '/v1/messages/count_tokens', headers })
  const [asked, counted] = relay.upstream.seen
  expect(counted?.headers['anthropic-beta']).toBe(asked?.headers['anthropic-beta'])
  return [betasOf(asked?.headers), asked?.body.anthropic_beta]
}

describe('a beta of a client', () => {
  test('is passed on if its price is known', async () => {
    expect(await betasSeen({ betas: [KNOWN] })).toEqual([[KNOWN], [KNOWN]])
  })

  test('is dropped if it may cost more, or give access to the account', async () => {
    expect(await betasSeen({ betas: FOREIGN })).toEqual([undefined, undefined])
    expect(await betasSeen({ betas: [...FOREIGN, KNOWN] })).toEqual([[KNOWN], [KNOWN]])
  })

  test('is passed on if the channel allows it', async () => {
    const [dear = '', ...others] = FOREIGN
    const setting = { allow_anthropic_betas: [dear] }
    expect(await betasSeen({ betas: [dear, ...others], setting })).toEqual([[dear], [dear]])
    expect(await betasSeen({ betas: FOREIGN, setting: { allow_anthropic_betas: ['*'] } })).toEqual([FOREIGN, FOREIGN])
  })

  test('is dropped in an unchanged body, and in any spelling of its name', async () => {
    const setting = JSON.stringify({ pass_through_body_enabled: true })
    const relay = await openTestRelay((exchange) => sendJson(exchange, REPLY), {
      channel: { type: ANTHROPIC, setting },
    })
    const messages = [{ role: 'user', content: 'x' }]
    for (const beta of [{ Anthropic_Beta: FOREIGN }, { anthropic_beta: FOREIGN[0] }, { anthropic_betas: FOREIGN }]) {
      await relay.chat({ model: MODEL, max_tokens: 5, messages, ...beta }, { path: '/v1/messages' })
      expect(relay.upstream.seen.at(-1)?.raw.toString()).not.toContain(FOREIGN[0])
    }
  })
})
