import { describe, expect, test } from 'vitest'
import { parseTraceparent } from '../../server/telemetry/traceparent.ts'
import { MODEL, openTestRelay } from '../support/gateway.ts'
import { completion, sendJson, startUpstream, usage } from '../support/hand-made-upstream.ts'

const ASK = { model: MODEL, messages: [{ role: 'user', content: 'my secret question' }] }
const TRACE = '0af7651916cd43dd8448eb211c80319c'
const PARENT = `00-${TRACE}-b7ad6b7169203331-01`

const works = (exchange: Parameters<typeof sendJson>[0]) => sendJson(exchange, completion('my answer', usage(11, 7)))

interface Attribute {
  key: string
  value: { stringValue?: string; intValue?: number }
}

/** A collector that keeps what it gets. */
async function collector() {
  const { url, seen } = await startUpstream((exchange) => sendJson(exchange, {}))
  const bodiesOf = (path: string) => seen.filter((exchange) => exchange.path === path).map(({ body }) => body)
  return { url, seen, bodiesOf }
}

interface Span {
  name: string
  traceId: string
  spanId: string
  parentSpanId: string
  kind: number
  attributes: Attribute[]
}
interface ExportedTraces {
  resourceSpans: { scopeSpans: { spans: Span[] }[] }[]
}

/** All spans of the bodies that a collector got. */
const spansIn = (bodies: readonly unknown[]): Span[] =>
  (bodies as ExportedTraces[]).flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
  )

describe('a trace', () => {
  test('is forwarded to the upstream unchanged, without a collector', async () => {
    const { chat, upstream } = await openTestRelay(works)
    await chat(ASK, { headers: { traceparent: PARENT, tracestate: 'a=b' } })
    await chat(ASK)
    expect(upstream.seen[0]?.headers).toMatchObject({ traceparent: PARENT, tracestate: 'a=b' })
    expect(upstream.seen[1]?.headers).not.toHaveProperty('traceparent')
  })

  test('has a span for each relay, between the client’s and the upstream’s, without any text', async () => {
    const otlp = await collector()
    const settings = {
      OTEL_EXPORTER_OTLP_ENDPOINT: otlp.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-team=a%20b',
      OTEL_SERVICE_NAME: 'gate',
    }
    const { chat, upstream, gateway, servedBy } = await openTestRelay(works, { settings })
    await chat(ASK, { headers: { traceparent: PARENT } })
    await gateway.close()

    const [span] = spansIn(otlp.bodiesOf('/v1/traces'))
    expect(span).toMatchObject({ name: `chat ${MODEL}`, traceId: TRACE, parentSpanId: 'b7ad6b7169203331', kind: 2 })
    const attributes = Object.fromEntries(
      (span?.attributes ?? []).map(({ key, value }) => [key, value.stringValue ?? value.intValue]),
    )
    expect(attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': MODEL,
      'gen_ai.provider.name': 'openai',
      'gen_ai.usage.input_tokens': 11,
      'gen_ai.usage.output_tokens': 7,
      'tollgate.channel.id': servedBy.id,
    })
    expect(upstream.seen[0]?.headers.traceparent).toBe(`00-${TRACE}-${span?.spanId}-01`)
    expect(otlp.seen[0]?.headers['x-team']).toBe('a b')
    const all = Buffer.concat(otlp.seen.map(({ raw }) => raw)).toString()
    for (const text of ['secret question', 'my answer', 'sk-']) expect(all).not.toContain(text)
    expect(all).toContain('"gate"')
    const metrics = JSON.stringify(otlp.bodiesOf('/v1/metrics'))
    for (const name of [
      'gen_ai.server.request.duration',
      'gen_ai.client.token.usage',
      'tollgate_charged_quota_total',
    ]) {
      expect(metrics).toContain(`"${name}"`)
    }
  })

  test('does not delay a relay, nor shutdown for long, if its collector hangs', async () => {
    const hanging = await startUpstream(() => {})
    const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: hanging.url }
    const { chat, gateway } = await openTestRelay(works, { settings })
    expect((await chat(ASK)).status).toBe(200)
    await gateway.close()
  })
})

test.each([
  ['00-00000000000000000000000000000000-b7ad6b7169203331-01'],
  [`00-${TRACE}-0000000000000000-01`],
  [`ff-${TRACE}-b7ad6b7169203331-01`],
  [`00-${TRACE}-b7ad6b7169203331-01-more`],
  [`00-${TRACE.toUpperCase()}-b7ad6b7169203331-01`],
  ['nonsense'],
])('%s is not a parent', (header) => expect(parseTraceparent(header)).toBeUndefined())
