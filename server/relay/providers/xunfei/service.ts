import type { LiveChannel } from '../../../../core/channels/directory.ts'
import type { Ask } from '../provider.ts'

/** One generation of Spark: where its websocket is, what requests call it, and whether it knows a system's role. */
export interface SparkService {
  readonly path: string
  readonly domain: string
  readonly systemRole: boolean
  /** It is asked over HTTP only, at this path. */
  readonly httpPath?: string
}

/** By version. https://www.xfyun.cn/doc/spark/Web.html */
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
 * The service that a model's name stands for. Only a name that says none leaves it to the client's `api-version`, then to the
 * channel: the price goes by the name.
 */
export function sparkService(
  { model, query }: Pick<Ask, 'model' | 'query'>,
  { other, type }: Pick<LiveChannel, 'other' | 'type'>,
): SparkService {
  const domain = BY_DOMAIN.get(model.toLowerCase())
  if (domain) return domain
  const named = MODEL_PREFIX.test(model) ? model.replace(MODEL_PREFIX, '') : ''
  const asked = new URLSearchParams(query).get('api-version')
  const version = named || asked || other.trim() || type.otherDefault || ''
  return SERVICES.get(version.toLowerCase()) ?? unknownService(version)
}

function unknownService(version: string): SparkService {
  return { path: `/${encodeURIComponent(version)}/chat`, domain: `general${version}`, systemRole: true }
}
