import { plainUsage } from '../../server/relay/charging/usage.ts'
import { collect } from '../../server/relay/conversation/collect.ts'
import type { ReplyEvent } from '../../server/relay/conversation/conversation.ts'
import type { Dialect, RelayError, ReplyContext } from '../../server/relay/dialects/dialect.ts'
import { streamEvents } from './wire.ts'

/** A dialect's reply context with default values. */
export function replyContext(fields: Partial<ReplyContext> = {}): ReplyContext {
  return {
    requestId: 'req1',
    model: 'asked-model',
    created: 1_700_000_000,
    body: {},
    query: '',
    renamesModel: false,
    promptTokens: 0,
    ...fields,
  }
}

export function relayError(fields: Partial<RelayError> = {}): RelayError {
  return {
    status: 502,
    message: 'The upstream broke off its reply (request id: req1)',
    type: 'upstream_error',
    param: null,
    code: 'upstream_broke',
    requestId: 'req1',
    ...fields,
  }
}

/** Returns the bytes that a dialect writes for a streamed reply. */
export function writtenStream(
  dialect: Dialect,
  events: readonly ReplyEvent[],
  { context = replyContext(), usage = plainUsage(20, 12) } = {},
): string {
  const writer = dialect.writer(context)
  return events.map((event) => writer.write(event)).join('') + writer.end(usage)
}

/** Returns the body that a dialect writes for the same reply. */
export function writtenWhole(
  dialect: Dialect,
  events: readonly ReplyEvent[],
  { context = replyContext(), usage = plainUsage(20, 12) } = {},
): Record<string, unknown> {
  return dialect.whole(collect(events), usage, context)
}

/** Returns the JSON payloads of a stream, without `[DONE]`. */
export function payloads(wire: string): Record<string, unknown>[] {
  return streamEvents(wire).flatMap(({ payload }) => (payload ? [payload] : []))
}
