import { isRecord } from '../records.ts'

/** A reply of the server, normalized from one of its three formats. */
export interface NormalizedReply {
  success: boolean
  message: string
  /** The parsed body. */
  whole: Record<string, unknown>
}

/** Parses a reply in one of the server's three formats. Returns undefined for any other body. */
export function readReply(text: string): NormalizedReply | undefined {
  try {
    const whole: unknown = JSON.parse(text)
    if (!isRecord(whole)) return undefined
    if ('success' in whole) return readEnvelope(whole)
    return 'error' in whole ? readRelayError(whole) : readPayment(whole)
  } catch {
    return undefined // such as an empty body with status 429, or the page of a proxy
  }
}

function readEnvelope(whole: Record<string, unknown>): NormalizedReply | undefined {
  const { success, message } = whole
  return typeof success === 'boolean' ? { success, message: textOf(message), whole } : undefined
}

/** Reads the reply of a payment call: `message: 'success'`, or `message: 'error'` with the reason in `data`. */
function readPayment(whole: Record<string, unknown>): NormalizedReply | undefined {
  if (whole.message === 'success') return { success: true, message: '', whole }
  return whole.message === 'error' ? { success: false, message: textOf(whole.data), whole } : undefined
}

/** Reads an error of the relay, which has OpenAI's format. */
function readRelayError(whole: Record<string, unknown>): NormalizedReply | undefined {
  return isRecord(whole.error) ? { success: false, message: textOf(whole.error.message), whole } : undefined
}

/** Returns the error code from the header `tollgate-error`; empty if the header is missing or invalid. */
export function errorCodeOf({ headers }: Response): string {
  try {
    const errorHeader: unknown = JSON.parse(decodeURIComponent(headers.get('tollgate-error') ?? 'null'))
    return isRecord(errorHeader) ? textOf(errorHeader.code) : ''
  } catch {
    return '' // not set by the gateway
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
