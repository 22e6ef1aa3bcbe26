import { formatEvent } from '../../transport/sse.ts'

/** How the pieces of a stream are put together for one client. */
export interface Framing {
  readonly contentType: string
  /** Sent when nothing else was for a while; it fits between any two pieces, and before the first. */
  readonly ping: string
  piece(payload: unknown): string
  /** A piece that is JSON text already. */
  text(json: string): string
  /** What follows the last piece. */
  end(): string
  /** An error instead of the rest. */
  broken(error: unknown): string
  /** What follows an error, to be read by itself. */
  alone(error: unknown): readonly string[]
}

/**
 * Server-sent events for `alt=sse`, as all SDKs ask for; else one JSON array, piece by piece. Events begin with their data: an
 * SDK passes over what has anything before it. `begun`: pieces went out before.
 */
export function framingFor(query: string, { begun = false }: { begun?: boolean } = {}): Framing {
  if (new URLSearchParams(query).get('alt') === 'sse') return EVENTS
  let first = !begun
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
    alone: () => [],
  }
}

const EVENTS: Framing = {
  contentType: 'text/event-stream; charset=utf-8',
  ping: ': ping\n\n',
  piece: formatEvent,
  text: (json) => `data: ${json}\n\n`,
  end: () => '',
  broken: formatEvent,
  // The official client takes a stream for whole unless one read of it brings an error outside of events, and nothing else. To
  // everybody else that line is none of theirs.
  alone: (error) => [`${JSON.stringify(error)}\n`],
}
