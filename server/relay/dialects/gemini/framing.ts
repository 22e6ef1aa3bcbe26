import { formatEvent } from '../../transport/sse.ts'

/** The framing of a stream's chunks: server-sent events, or one JSON array. */
interface ReplyFraming {
  readonly contentType: string
  /** Text that keeps an idle connection open. The text is valid before the first chunk and between chunks. */
  readonly ping: string
  frameChunk(payload: unknown): string
  /** Frames a chunk that is already JSON text. */
  frameJson(json: string): string
  /** Returns the text after the last chunk. */
  end(): string
  /** Returns the error that ends an incomplete stream. */
  broken(error: unknown): string
  /** Returns texts to send after an error, each in a separate chunk. */
  trailingErrorChunks(error: unknown): readonly string[]
}

/**
 * Returns the framing that the client's query requests: server-sent events for `alt=sse`, which all SDKs send,
 * otherwise one JSON array in pieces. Events start with `data:`, because an SDK skips other events. `hasBegun` states
 * whether chunks were already sent.
 */
export function framingFor(query: string, { hasBegun = false }: { hasBegun?: boolean } = {}): ReplyFraming {
  if (new URLSearchParams(query).get('alt') === 'sse') return EVENTS
  let isFirst = !hasBegun
  const frameJson = (json: string): string => {
    const separator = isFirst ? '[' : ',\n'
    isFirst = false
    return separator + json
  }
  return {
    contentType: 'application/json; charset=utf-8',
    ping: '\n',
    frameChunk: (payload) => frameJson(JSON.stringify(payload)),
    frameJson,
    end: () => (isFirst ? '[]' : ']'),
    broken: (error) => `${frameJson(JSON.stringify(error))}]`,
    trailingErrorChunks: () => [],
  }
}

const EVENTS: ReplyFraming = {
  contentType: 'text/event-stream; charset=utf-8',
  ping: ': ping\n\n',
  frameChunk: formatEvent,
  frameJson: (json) => `data: ${json}\n\n`,
  end: () => '',
  broken: formatEvent,
  // Google's SDK detects an error only if a read returns nothing but the error's JSON, without `data:`. Other clients
  // ignore such a line.
  trailingErrorChunks: (error) => [`${JSON.stringify(error)}\n`],
}
