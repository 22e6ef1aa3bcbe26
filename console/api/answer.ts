/** An answer of the server, whichever shape it came in. */
export interface Opened {
  success: boolean
  message: string
  whole: Record<string, unknown>
}

/** Reads the three shapes that the server has; undefined for anything else. */
export function readAnswer(text: string): Opened | undefined {
  try {
    const whole: unknown = JSON.parse(text)
    if (!isRecord(whole)) return undefined
    if ('success' in whole) return readEnvelope(whole)
    return 'error' in whole ? readRelayError(whole) : readPayment(whole)
  } catch {
    return undefined // an empty body, as with 429, or the page of some proxy
  }
}

function readEnvelope(whole: Record<string, unknown>): Opened | undefined {
  const { success, message } = whole
  return typeof success === 'boolean' ? { success, message: textOf(message), whole } : undefined
}

/** Payment answers `message: 'success'`, or 'error' with the reason as its data. */
function readPayment(whole: Record<string, unknown>): Opened | undefined {
  if (whole.message === 'success') return { success: true, message: '', whole }
  return whole.message === 'error' ? { success: false, message: textOf(whole.data), whole } : undefined
}

/** The relay refuses in OpenAI's shape. */
function readRelayError(whole: Record<string, unknown>): Opened | undefined {
  return isRecord(whole.error) ? { success: false, message: textOf(whole.error.message), whole } : undefined
}

/** The server names each refusal in a header; a proxy may have taken it away. */
export function refusalCode({ headers }: Response): string {
  try {
    const named: unknown = JSON.parse(decodeURIComponent(headers.get('tollgate-error') ?? 'null'))
    return isRecord(named) ? textOf(named.code) : ''
  } catch {
    return '' // not the gateway's own
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
