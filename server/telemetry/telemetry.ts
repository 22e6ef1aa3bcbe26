import type { IncomingHttpHeaders } from 'node:http'
import { context, type Meter, type Observable, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import type { Config } from '../../core/config.ts'
import { VERSION } from '../../core/version.ts'
import type { ReadFamilies } from '../metrics/exchange.ts'
import { attributesOf, type TracedRelay } from './gen-ai.ts'
import { formatTraceparent, parseTraceparent } from './traceparent.ts'

const EXPORT_METRICS_MS = 30_000
/** Maximum time to send the last data. A collector that does not reply must not delay the end of the process. */
const CLOSE_MS = 3000
const TRACEPARENT = 'traceparent'

/** Sends traces and metrics to an OpenTelemetry collector. */
export interface Telemetry {
  /**
   * Begins a relay's span. Sets the header `traceparent` in `headers`, so that the upstream's spans become its
   * children.
   */
  begin(headers: IncomingHttpHeaders): Span
  /** Ends the span with the relay's data, and records the relay's metrics. */
  end(span: Span, relay: TracedRelay): void
  close(): Promise<void>
}

/** Starts to export traces, and the metrics that `read` returns, over HTTP in OTLP format. */
export async function createTelemetry(otlp: NonNullable<Config['otlp']>, read: ReadFamilies): Promise<Telemetry> {
  const resource = resourceFromAttributes({
    'service.name': otlp.serviceName,
    'service.version': VERSION,
    'service.instance.id': `${process.pid}-${Date.now().toString(36)}`,
  })
  const { headers } = otlp
  const spans = new BatchSpanProcessor(new OTLPTraceExporter({ url: `${otlp.endpoint}/v1/traces`, headers }))
  const tracer = new BasicTracerProvider({ resource, spanProcessors: [spans] })
  const reader = new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter({ url: `${otlp.endpoint}/v1/metrics`, headers }),
    exportIntervalMillis: EXPORT_METRICS_MS,
  })
  const meters = new MeterProvider({ resource, readers: [reader] })
  const meter = meters.getMeter('tollgate', VERSION)
  await exportFamilies(meter, read)
  const duration = meter.createHistogram('gen_ai.server.request.duration', { unit: 's' })
  const firstToken = meter.createHistogram('gen_ai.server.time_to_first_token', { unit: 's' })
  const usage = meter.createHistogram('gen_ai.client.token.usage', { unit: '{token}' })
  const relays = tracer.getTracer('tollgate', VERSION)

  return {
    begin(headers) {
      const parent = parseTraceparent(headers[TRACEPARENT])
      const parentContext = parent ? trace.setSpanContext(context.active(), parent) : context.active()
      const span = relays.startSpan('relay', { kind: SpanKind.SERVER }, parentContext)
      headers[TRACEPARENT] = formatTraceparent(span.spanContext())
      return span
    },
    end(span, relay) {
      const { name, attributes, metricAttributes, error } = attributesOf(relay)
      const now = Date.now()
      span.updateName(name)
      span.setAttributes(attributes)
      if (error) span.setStatus({ code: SpanStatusCode.ERROR, message: error })
      span.end(now)
      duration.record((now - relay.startedAt) / 1000, metricAttributes)
      if (relay.firstTokenAt !== undefined) {
        firstToken.record((relay.firstTokenAt - relay.startedAt) / 1000, metricAttributes)
      }
      if (!relay.usage) return
      usage.record(relay.usage.promptTokens, { ...metricAttributes, 'gen_ai.token.type': 'input' })
      usage.record(relay.usage.completionTokens, { ...metricAttributes, 'gen_ai.token.type': 'output' })
    },
    async close() {
      const closing = Promise.allSettled([tracer.shutdown(), meters.shutdown()])
      await Promise.race([closing, new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref())])
    },
  }
}

/** Exports this process's counters and gauges under the same names as at `/metrics`. */
async function exportFamilies(meter: Meter, read: ReadFamilies): Promise<void> {
  const instruments = new Map<string, Observable>()
  // Every family exists from the start, even without samples. `createTelemetry` has its own histograms.
  for (const { name, help, type } of await read()) {
    if (type === 'counter') instruments.set(name, meter.createObservableCounter(name, { description: help }))
    else if (type === 'gauge') instruments.set(name, meter.createObservableGauge(name, { description: help }))
  }
  meter.addBatchObservableCallback(
    async (result) => {
      for (const { name, values } of await read()) {
        const instrument = instruments.get(name)
        if (instrument) for (const { value, labels } of values) result.observe(instrument, value, labels)
      }
    },
    [...instruments.values()],
  )
}
