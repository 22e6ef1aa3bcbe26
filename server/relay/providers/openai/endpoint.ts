import type { ChannelType } from '../../../../core/channels/types/types.ts'
import type { Plan, ProviderRequest, UpstreamRequest } from '../provider.ts'
import { rerankReply } from '../rerank.ts'
import { toRequestedEncoding } from './embeddings.ts'
import { withFieldRules } from './fields.ts'
import { multipartBody } from './multipart-body.ts'

/** Operations whose replies may be audio or subtitles instead of JSON. */
const BYTE_OPERATIONS = new Set<ProviderRequest['operation']>(['speech', 'transcriptions', 'translations'])

/**
 * Plans an operation other than `chat` in OpenAI's format, with the vendor's rules. Sends the client's bytes if the
 * rules change nothing. Adds the headers that describe the body to `headers`.
 */
export function endpointPlan(
  ask: ProviderRequest,
  { quirks }: Pick<ChannelType, 'quirks'>,
  { url, headers }: Pick<UpstreamRequest, 'url' | 'headers'>,
): Plan {
  const errorStatus = quirks?.reply?.errorStatus
  const { headers: bodyHeaders, body } = bodyOf(ask, quirks)
  return {
    request: { url, headers: { ...headers, ...bodyHeaders }, body },
    native: true,
    ...readingOf(ask),
    ...(errorStatus && { errorStatus }),
  }
}

function bodyOf(
  { operation, body, model, raw, upload }: ProviderRequest,
  quirks: ChannelType['quirks'],
): Pick<UpstreamRequest, 'headers' | 'body'> {
  if (upload) return multipartBody(upload, { model })
  const withModel = body.model === model ? body : { ...body, model }
  const adaptedBody = withFieldRules(withModel, quirks?.fields?.[operation])
  return {
    headers: { 'content-type': 'application/json' },
    body: adaptedBody === body ? raw : JSON.stringify(adaptedBody),
  }
}

function readingOf(ask: ProviderRequest): Pick<Plan, 'mayBeBinary' | 'convert'> {
  const { operation, body, stream } = ask
  if (operation === 'embeddings') return { convert: (reply) => toRequestedEncoding(reply, body) }
  if (operation === 'rerank') return { convert: (reply) => rerankReply(reply, ask) }
  return BYTE_OPERATIONS.has(operation) || stream ? { mayBeBinary: true } : {}
}
