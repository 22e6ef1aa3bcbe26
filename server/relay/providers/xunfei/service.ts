import type { LiveChannel } from '../../../../core/channels/routing/directory.ts'
import type { ProviderRequest } from '../provider.ts'

/** A version of Spark. `path` is its websocket path, and `domain` its name in requests. */
export interface SparkService {
  readonly path: string
  readonly domain: string
  readonly systemRole: boolean
  /** Path of a service that is available only over HTTP. */
  readonly httpPath?: string
}

/** Services by version. https://www.xfyun.cn/doc/spark/Web.html */
const SERVICES = new Map<string, SparkService>(
  Object.entries({
    'v1.1': { path: '/v1.1/chat', domain: 'lite', systemRole: false },
    'v2.1': { path: '/v2.1/chat', domain: 'generalv2', systemRole: false },
    'v3.1': { path: '/v3.1/chat', domain: 'generalv3', systemRole: false },
    'v3.5': { path: '/v3.5/chat', domain: 'generalv3.5', systemRole: true },
    'v4.0': { path: '/v4.0/chat', domain: '4.0Ultra', systemRole: true },
    'pro-128k': { path: '/chat/pro-128k', domain: 'pro-128k', systemRole: false },
    'max-32k': { path: '/chat/max-32k', domain: 'max-32k', systemRole: true },
    x1: { path: '/v2/chat', domain: 'x1', systemRole: true, httpPath: '/v2/chat/completions' },
  }),
)
const BY_DOMAIN = new Map([...SERVICES.values()].map((service) => [service.domain.toLowerCase(), service]))
const MODEL_PREFIX = /^SparkDesk-/i

/**
 * Returns the service for a model. The version comes from the model's name, which also decides the price, else from the
 * client's `api-version`, else from the channel.
 */
export function sparkService(
  { model, query }: Pick<ProviderRequest, 'model' | 'query'>,
  { other, type }: Pick<LiveChannel, 'other' | 'type'>,
): SparkService {
  const namedService = BY_DOMAIN.get(model.toLowerCase())
  if (namedService) return namedService
  const modelVersion = MODEL_PREFIX.test(model) ? model.replace(MODEL_PREFIX, '') : ''
  const clientVersion = new URLSearchParams(query).get('api-version')
  const version = modelVersion || clientVersion || other.trim() || type.otherDefault || ''
  return SERVICES.get(version.toLowerCase()) ?? unknownService(version)
}

function unknownService(version: string): SparkService {
  return { path: `/${encodeURIComponent(version)}/chat`, domain: `general${version}`, systemRole: true }
}
