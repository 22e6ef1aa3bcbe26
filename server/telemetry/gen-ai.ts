import type { Attributes } from '@opentelemetry/api'
import type { LiveChannel } from '../../core/channels/routing/directory.ts'
import type { Operation } from '../../core/channels/routing/operations.ts'

/** Data of an ended relay for its span. */
export interface TracedRelay {
  readonly requestId: string
  readonly operation: Operation
  /** Empty if the relay was rejected before the gateway knew the model. */
  readonly model: string
  readonly channel: Pick<LiveChannel, 'id' | 'type'> | undefined
  readonly usage: { readonly promptTokens: number; readonly completionTokens: number } | undefined
  readonly attempts: number
  /** Unix milliseconds. */
  readonly startedAt: number
  /** Unix milliseconds. Undefined if no token arrived. */
  readonly firstTokenAt: number | undefined
  readonly status: number
  readonly isFailed: boolean
}

/** The fields of an ended relay that the span needs. */
interface EndedRelay extends Pick<TracedRelay, 'model' | 'startedAt' | 'firstTokenAt' | 'isFailed'> {
  readonly request: { readonly id: string }
  readonly entry: { readonly operation: Operation }
  readonly served: { readonly channel: TracedRelay['channel']; readonly tried: { readonly length: number } } | undefined
  readonly meter: { readonly usage: TracedRelay['usage'] } | undefined
  readonly response: { readonly statusCode: number }
}

/** Converts an ended relay to the data for its span. */
export function tracedRelay(relay: EndedRelay): TracedRelay {
  const { request, entry, served, meter, response, model, startedAt, firstTokenAt, isFailed } = relay
  return {
    requestId: request.id,
    operation: entry.operation,
    model,
    channel: served?.channel,
    usage: meter?.usage,
    attempts: served?.tried.length ?? 0,
    startedAt,
    firstTokenAt,
    status: response.statusCode,
    isFailed,
  }
}

/** Names of operations in OpenTelemetry's conventions for generative AI. Other operations have Tollgate's names. */
const OPERATIONS: Partial<Record<Operation, string>> = { chat: 'chat', embeddings: 'embeddings' }
const PROVIDERS: Readonly<Record<string, string>> = {
  Anthropic: 'anthropic',
  OpenAI: 'openai',
  Azure: 'azure.ai.openai',
  'AWS Claude': 'aws.bedrock',
  Gemini: 'gcp.gemini',
  'Vertex AI': 'gcp.vertex_ai',
  DeepSeek: 'deepseek',
  Mistral: 'mistral_ai',
  Cohere: 'cohere',
  Perplexity: 'perplexity',
  xAI: 'x_ai',
}

/** Returns the attributes of a relay's span and metrics: https://opentelemetry.io/docs/specs/semconv/gen-ai/ */
export function attributesOf(relay: TracedRelay): {
  name: string
  attributes: Attributes
  metricAttributes: Attributes
  error: string | undefined
} {
  const { model, channel, usage, status, isFailed } = relay
  const operation = OPERATIONS[relay.operation] ?? relay.operation
  const error = isFailed ? String(status) : undefined
  const type = channel?.type.name
  const metricAttributes: Attributes = {
    'gen_ai.operation.name': operation,
    ...(model && { 'gen_ai.request.model': model }),
    ...(type && { 'gen_ai.provider.name': PROVIDERS[type] ?? type.toLowerCase() }),
    ...(error && { 'error.type': error }),
  }
  return {
    name: model ? `${operation} ${model}` : operation,
    metricAttributes,
    error,
    attributes: {
      ...metricAttributes,
      ...(usage && {
        'gen_ai.usage.input_tokens': usage.promptTokens,
        'gen_ai.usage.output_tokens': usage.completionTokens,
      }),
      'http.response.status_code': status,
      'tollgate.request_id': relay.requestId,
      'tollgate.attempts': relay.attempts,
      ...(channel && { 'tollgate.channel.id': channel.id }),
    },
  }
}
