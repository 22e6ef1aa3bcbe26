import { isSpanContextValid, type SpanContext } from '@opentelemetry/api'

const PATTERN = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/

/** Parses a traceparent header: https://www.w3.org/TR/trace-context/. Returns undefined if it is missing or invalid. */
export function parseTraceparent(header: unknown): SpanContext | undefined {
  if (typeof header !== 'string') return undefined
  const [, version, traceId = '', spanId = '', flags = '', moreFields] = PATTERN.exec(header) ?? []
  // Versions after 00 may append fields.
  if (version === undefined || version === 'ff' || (version === '00' && moreFields !== undefined)) return undefined
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
  return isSpanContextValid(parent) ? parent : undefined
}

export function formatTraceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
}
