import type { ReplyContext } from '../../server/relay/dialects/dialect.ts'

/** What a dialect knows of a relay, as far as a test does not care. */
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
