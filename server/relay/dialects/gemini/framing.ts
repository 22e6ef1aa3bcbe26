import { formatEvent } from '../../transport/sse.ts'

/** How the chunks of a stream are framed. */
export interface Framing {
  readonly contentType: string
  /** Keep-alive that is valid between any two chunks and before the first. */
  readonly ping: string
  piece(payload: unknown): string
  /** Frames a chunk that is already JSON text. */
  text(json: string): string
  /** Returns the text after the last chunk. */
  end(): string
  /** Returns the error that ends an incomplete stream. */
  broken(error: unknown): string
  /** Returns what to send after an error, each in a separate chunk. */
  trailingErrorChunks(error: unknown): readonly string[]
}

/**
 * Returns server-sent events for `alt=sse`, which all SDKs request; otherwise one JSON array, sent piece by piece. Events
 * start with their data: an SDK skips events that start with anything else. `hasBegun`: pieces were sent before.
 */
export function framingFor(query: string, { hasBegun = false }: { hasBegun?: boolean } = {}): Framing {
  if (new URLSearchParams(query).get('alt') === 'sse') return EVENTS
  let first = !hasBegun
  const text = (json: string): string => {
    const lead = first ? '[' : ',\n'
    first = false
    return lead + json
  }
  return {
    contentType: 'application/json; charset=utf-8',
    ping: '\n',
    piece: (payload) => text(JSON.stringify(payload)),
    text,
    end: () => (first ? '[]' : ']'),
    broken: (error) => `${text(JSON.stringify(error))}]`,
    trailingErrorChunks: () => [],
  }
}

const EVENTS: Framing = {
  contentType: 'text/event-stream; charset=utf-8',
  ping: ': ping\n\n',
  piece: formatEvent,
  text: (json) => `data: ${json}\n\n`,
  end: () => '',
  broken: formatEvent,
  // The official client treats a stream as complete unless one read contains only an error outside of events. Other clients
  // ignore that line.
  trailingErrorChunks: (error) => [`${JSON.stringify(error)}\n`],
}
