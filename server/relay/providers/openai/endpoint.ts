import type { ChannelType } from '../../../../core/channels/types.ts'
import type { Ask, Plan } from '../provider.ts'
import { rerankReply } from '../rerank.ts'
import { asAsked } from './embeddings.ts'
import { withFieldRules } from './fields.ts'
import { multipartBody } from './multipart-body.ts'

/** A request to an endpoint beside conversations, and how its reply is to be read. */
export interface EndpointCall {
  readonly body: Buffer | string | Extract<Plan['request']['body'], () => unknown>
  /** What the body says of itself. */
  readonly headers: Record<string, string>
  readonly reading: Pick<Plan, 'bytes' | 'convert'>
}

/** Sound and subtitles are no JSON, and events are not one JSON. */
const BYTES = new Set<Ask['operation']>(['speech', 'transcriptions', 'translations'])

/** The client's request as this vendor takes it, in bytes of the client's wherever nothing must change. */
export function endpointCall(ask: Ask, { quirks }: Pick<ChannelType, 'quirks'>): EndpointCall {
  const { operation, body, model, raw, upload } = ask
  const reading = readingOf(ask)
  if (upload) {
    const form = multipartBody(upload, { model })
    return { body: form.body, headers: form.headers, reading }
  }
  const named = body.model === model ? body : { ...body, model }
  const wanted = withFieldRules(named, quirks?.fields?.[operation])
  return {
    body: wanted === body ? raw : JSON.stringify(wanted),
    headers: { 'content-type': 'application/json' },
    reading,
  }
}

function readingOf(ask: Ask): EndpointCall['reading'] {
  const { operation, body, stream } = ask
  if (operation === 'embeddings') return { convert: (reply) => asAsked(reply, body) }
  if (operation === 'rerank') return { convert: (reply) => rerankReply(reply, ask) }
  return BYTES.has(operation) || stream ? { bytes: true } : {}
}
