import { describe, expect, test } from 'vitest'
import { parseExposition, sumOf } from '../../support/exposition.ts'
import { MODEL, openTestGateway, openTestRelay } from '../../support/gateway.ts'
import { completion, sendJson, usage } from '../../support/hand-made-upstream.ts'

const ASK = { model: MODEL, messages: [{ role: 'user', content: 'hello' }] }

async function scrape(url: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${url}/metrics`, { headers })
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
}

describe('/metrics', () => {
  test('counts the charges of the ledger exactly', async () => {
    let turn = 0
    const fixture = await openTestRelay((exchange) => {
      turn += 1
      if (turn % 5 === 0) sendJson(exchange, { error: { message: 'no', code: 'bad"code\n' } }, 400)
      else sendJson(exchange, completion('ok', usage(10 + turn, turn)))
    })
    await Promise.all(Array.from({ length: 20 }, () => fixture.chat(ASK)))
    await fixture.chat({ ...ASK, model: 'no-such-model' })
    const { status, type, text } = await scrape(fixture.url)

    expect({ status, type }).toEqual({ status: 200, type: 'text/plain; version=0.0.4; charset=utf-8' })
    const families = parseExposition(text)
    const [logged] = await fixture.toolkit.db
      .reader('logs')
      .where({ type: 2 })
      .sum({ quota: 'quota', prompt: 'prompt_tokens', completion: 'completion_tokens' })
      .count({ rows: '*' })
    if (!logged) throw new Error('no sums')
    const channel = { channel: String(fixture.servedBy.id), model: MODEL }
    expect(Number(logged.rows)).toBe(16)
    expect(sumOf(families, 'tollgate_charged_quota_total', channel)).toBe(Number(logged.quota))
    expect(sumOf(families, 'tollgate_ledger_used_quota')).toBe(Number(logged.quota))
    expect(sumOf(families, 'tollgate_charges_total', channel)).toBe(16)
    expect(sumOf(families, 'tollgate_tokens_total', { ...channel, kind: 'prompt' })).toBe(Number(logged.prompt))
    expect(sumOf(families, 'tollgate_tokens_total', { kind: 'completion' })).toBe(Number(logged.completion))
    expect(sumOf(families, 'tollgate_requests_total', { ...channel, outcome: 'completed' })).toBe(16)
    expect(sumOf(families, 'tollgate_requests_total', { outcome: 'failed' })).toBe(5)
    expect(sumOf(families, 'tollgate_request_duration_seconds_count', channel)).toBe(16)
    expect(sumOf(families, 'tollgate_errors_total', { code: 'model_not_found', status: '404' })).toBe(1)
    expect(sumOf(families, 'tollgate_errors_total', { code: 'other', status: '400' })).toBe(4)
    expect(sumOf(families, 'tollgate_open_holds')).toBe(0)
    expect(sumOf(families, 'tollgate_workers')).toBe(1)
  })

  test('observes the first token of streams', async () => {
    const fixture = await openTestRelay(({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const chunk = { choices: [{ index: 0, delta: { content: 'hi' } }] }
      response.write(`data: ${JSON.stringify(chunk)}\n\n`)
      response.end(`data: ${JSON.stringify({ choices: [], usage: usage(3, 4) })}\n\ndata: [DONE]\n\n`)
    })
    await fixture.chat({ ...ASK, stream: true })
    const families = parseExposition((await scrape(fixture.url)).text)
    expect(sumOf(families, 'tollgate_first_token_seconds_count', { model: MODEL })).toBe(1)
    expect(sumOf(families, 'tollgate_first_token_seconds_bucket', { model: MODEL, le: '+Inf' })).toBe(1)
  })

  test('lists every family once, with help and type', async () => {
    const { url } = await openTestGateway()
    const { text } = await scrape(url)
    const names = [...text.matchAll(/^# TYPE (\S+) (counter|gauge|histogram)$/gm)].map(([, name]) => name)
    expect(new Set(names).size).toBe(names.length)
    for (const name of names) expect(text).toMatch(new RegExp(`^# HELP ${name} \\S`, 'm'))
    for (const name of names) expect(name).toMatch(/^(tollgate|process|nodejs)_[a-z0-9_]+$/)
    // What Prometheus calls a counter ends so: https://prometheus.io/docs/practices/naming/
    for (const [, name] of text.matchAll(/^# TYPE (\S+) counter$/gm)) expect(name).toMatch(/_total$/)
  })
})

describe('/metrics is hidden', () => {
  test('from clients behind an untrusted local proxy', async () => {
    const { url } = await openTestGateway()
    expect((await scrape(url)).status).toBe(200)
    for (const name of ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip']) {
      expect((await scrape(url, { [name]: '127.0.0.1' })).status).toBe(404)
    }
  })

  test('from addresses named by a trusted proxy', async () => {
    const { url } = await openTestGateway({ settings: { TRUST_PROXY: '127.0.0.1' } })
    expect((await scrape(url, { 'x-forwarded-for': '203.0.113.9' })).status).toBe(404)
    expect((await scrape(url, { 'x-forwarded-for': '127.0.0.1' })).status).toBe(200)
  })

  test('from all addresses outside the option, and from wrong tokens', async () => {
    const { url, toolkit, root } = await openTestGateway()
    await toolkit.options.set(root, 'MetricsAllow', '10.0.0.0/8, 192.0.2.7')
    expect((await scrape(url)).status).toBe(404)
    expect((await scrape(url, { authorization: 'Bearer ' })).status).toBe(404)
    await toolkit.options.set(root, 'MetricsToken', 'scrape-me')
    expect((await scrape(url, { authorization: 'Bearer scrape' })).status).toBe(404)
    expect((await scrape(url, { authorization: 'Bearer scrape-me', via: '1.1 proxy' })).status).toBe(200)
    await toolkit.options.set(root, 'MetricsAllow', '127.0.0.1')
    expect((await scrape(url)).status).toBe(200)
    await expect(toolkit.options.set(root, 'MetricsAllow', '10.0.0.0/8,all')).rejects.toMatchObject({
      code: 'OPTION_ADDRESSES',
      params: { value: 'all' },
    })
  })
})
