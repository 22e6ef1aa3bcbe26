import { formatEvent } from '../../transport/sse.ts'

/** The framing of a stream's chunks: server-sent events, or one JSON array. */
export interface Framing {
  readonly contentType: string
  /** Keep-alive text that is valid between any two chunks and before the first. */
  readonly ping: string
  /** Frames a chunk. */
  piece(payload: unknown): string
  /** Frames a chunk that is already JSON text. */
  text(json: string): string
  /** Returns the text after the last chunk. */
  end(): string
  /** Returns the error that ends an incomplete stream. */
  broken(error: unknown): string
  /** Returns texts to send after an error, each in a separate chunk. */
  trailingErrorChunks(error: unknown): readonly string[]
}

/**
 * Returns the framing that the client's query requests: server-sent events for `alt=sse`, which all SDKs use; otherwise one JSON
 * array, sent piece by piece. Events start with `data:`, because an SDK skips events that start with another field. `hasBegun`:
 * pieces were sent before.
 */
export function framingFor(query: string, { hasBegun = false }: { hasBegun?: boolean } = {}): Framing {
  if (new URLSearchParams(query).get('alt') === 'sse') return EVENTS
  let first = !hasBegun
  const text = (json: string): string => {
    const separator = first ? '[' : ',\n'
    first = false
    return separator + json
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
