import type { ChannelType } from '../../../../core/channels/types/types.ts'
import type { Plan, ProviderRequest } from '../provider.ts'
import { rerankReply } from '../rerank.ts'
import { inRequestedEncoding } from './embeddings.ts'
import { withFieldRules } from './fields.ts'
import { multipartBody } from './multipart-body.ts'

/** The converted request of an operation other than `chat`, and the plan's fields for the reply. */
interface EndpointCall {
  readonly body: Buffer | string | Extract<Plan['request']['body'], () => unknown>
  /** Headers that describe the body. */
  readonly headers: Record<string, string>
  readonly replyPlan: Pick<Plan, 'mayBeBinary' | 'convert' | 'errorStatus'>
}

/** Operations whose replies may be audio or subtitles instead of JSON. */
const BYTE_OPERATIONS = new Set<ProviderRequest['operation']>(['speech', 'transcriptions', 'translations'])

/** Converts the client's request for this vendor. Sends the client's bytes if nothing changes. */
export function endpointCall(ask: ProviderRequest, { quirks }: Pick<ChannelType, 'quirks'>): EndpointCall {
  const { operation, body, model, raw, upload } = ask
  const errorStatus = quirks?.reply?.errorStatus
  const replyPlan = { ...readingOf(ask), ...(errorStatus && { errorStatus }) }
  if (upload) {
    const form = multipartBody(upload, { model })
    return { body: form.body, headers: form.headers, replyPlan }
  }
  const withModel = body.model === model ? body : { ...body, model }
  const adaptedBody = withFieldRules(withModel, quirks?.fields?.[operation])
  return {
    body: adaptedBody === body ? raw : JSON.stringify(adaptedBody),
    headers: { 'content-type': 'application/json' },
    replyPlan,
  }
}

function readingOf(ask: ProviderRequest): EndpointCall['replyPlan'] {
  const { operation, body, stream } = ask
  if (operation === 'embeddings') return { convert: (reply) => inRequestedEncoding(reply, body) }
  if (operation === 'rerank') return { convert: (reply) => rerankReply(reply, ask) }
  return BYTE_OPERATIONS.has(operation) || stream ? { mayBeBinary: true } : {}
}
