import { formatEvent } from '../../transport/sse.ts'

/** How a stream's chunks are sent, either as server-sent events or as one JSON array. */
export interface ReplyFraming {
  readonly contentType: string
  /** Text that keeps an idle connection open. It is valid before the first chunk and between any two chunks. */
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
 * Returns the framing that the client's query requests. `alt=sse` means server-sent events. All SDKs use it. Otherwise
 * it is one JSON array, sent in pieces. Events start with `data:`, because an SDK skips other events. `hasBegun` is
 * whether chunks were already sent.
 */
export function framingFor(query: string, { hasBegun = false }: { hasBegun?: boolean } = {}): ReplyFraming {
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

const EVENTS: ReplyFraming = {
  contentType: 'text/event-stream; charset=utf-8',
  ping: ': ping\n\n',
  piece: formatEvent,
  text: (json) => `data: ${json}\n\n`,
  end: () => '',
  broken: formatEvent,
  // The official client detects an error only in a read that contains nothing else, and no event. Other clients ignore
  // such a line.
  trailingErrorChunks: (error) => [`${JSON.stringify(error)}\n`],
}
