import type { Actor } from '../../core/actor.ts'
import { serverAddress } from '../../core/channels/check.ts'
import { splitKeys } from '../../core/channels/keys/keys.ts'
import type { LiveChannel } from '../../core/channels/routing/directory.ts'
import type { ModelListSource } from '../../core/channels/types/channel-type.ts'
import { findAnyType, findChannelType } from '../../core/channels/types/types.ts'
import { GatewayError } from '../../core/errors.ts'
import { isRecord } from '../../core/records.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'
import type { Json } from '../relay/json.ts'
import { anthropicHeaders } from '../relay/providers/anthropic/anthropic.ts'
import { modelListAddress } from '../relay/providers/gemini/address.ts'
import { joinAddress } from '../relay/providers/openai/address.ts'
import { bearerHeaders, queryUpstream } from './ask.ts'
import { apiRoot } from './balance.ts'
import type { ProbeGuard } from './guard.ts'

/** Page size for vendors whose list has pages. Only the first page is requested. */
const MODELS_MAX = 1000

/** The fields of a channel that a query needs. The channel need not be stored. */
type QueriedUpstream = Pick<LiveChannel, 'baseUrl' | 'type' | 'key' | 'other'>

interface ModelList {
  request(upstream: QueriedUpstream): { url: string; headers: Record<string, string> }
  /** Field of the reply that contains the list. */
  readonly list: string
  /** Field of a list entry that contains the model name. */
  readonly name: string
  /** Prefix of listed names, which is removed, because requests use names without the prefix. */
  readonly prefix?: string
}

/** Request and reply fields of each vendor's model list. */
const SOURCES: Record<ModelListSource, ModelList> = {
  openai: {
    request: (upstream) => ({
      url: joinAddress(apiRoot(upstream), upstream.type.path?.['/v1/models'] ?? '/v1/models'),
      headers: bearerHeaders(upstream.key),
    }),
    list: 'data',
    name: 'id',
  },
  qianfan: {
    // A stored key may end in `|` and an application id, which this request does not need.
    request: ({ baseUrl, key }) => ({
      url: joinAddress(baseUrl, '/v2/models'),
      headers: bearerHeaders(key.replace(/\|.*$/s, '').trim()),
    }),
    list: 'data',
    name: 'id',
  },
  anthropic: {
    request: ({ baseUrl, key }) => ({
      url: `${joinAddress(baseUrl, '/v1/models')}?limit=${MODELS_MAX}`,
      headers: anthropicHeaders({ headers: {}, stream: false }, { key }),
    }),
    list: 'data',
    name: 'id',
  },
  gemini: {
    request: (upstream) => ({
      url: `${modelListAddress(upstream)}?pageSize=${MODELS_MAX}`,
      headers: { 'x-goog-api-key': upstream.key.trim() },
    }),
    list: 'models',
    name: 'name',
    prefix: 'models/',
  },
  ollama: {
    request: ({ baseUrl, key }) => ({
      url: `${baseUrl.replace(/\/v1$/, '')}/api/tags`,
      headers: key ? bearerHeaders(key) : {},
    }),
    list: 'models',
    name: 'name',
  },
  cohere: {
    request: ({ baseUrl, key }) => ({
      url: `${baseUrl.replace(/\/v\d+$/, '')}/v1/models?page_size=${MODELS_MAX}`,
      headers: bearerHeaders(key.trim()),
    }),
    list: 'models',
    name: 'name',
  },
}

/**
 * Returns the models that an upstream lists. The query uses the channel's proxy. Throws MODEL_LIST_UNSUPPORTED,
 * CHANNEL_MISCONFIGURED, UPSTREAM_*.
 */
async function listModels(
  upstream: QueriedUpstream,
  { channel, guard }: { channel?: LiveChannel; guard: ProbeGuard | undefined },
): Promise<string[]> {
  const source = SOURCES[requireModelList(upstream.type)]
  const { url, headers } = source.request(upstream)
  return namesIn(await queryUpstream(url, headers, channel, { guard }), source)
}

function requireModelList({ modelList, name }: QueriedUpstream['type']): ModelListSource {
  if (!modelList) throw new GatewayError('MODEL_LIST_UNSUPPORTED', { name })
  return modelList
}

function namesIn(answer: Json, { list, name, prefix = '' }: ModelList): string[] {
  const models = answer[list]
  if (models === null || models === undefined) return []
  if (!Array.isArray(models)) throw new GatewayError('UPSTREAM_UNREADABLE', { reason: `${list} is not a list` })
  return models.flatMap((model: unknown) => {
    const listedName = isRecord(model) ? model[name] : undefined
    if (typeof listedName !== 'string') return []
    return [listedName.startsWith(prefix) ? listedName.slice(prefix.length) : listedName]
  })
}

/**
 * Returns the models that the upstream of a stored channel lists. Audits the query before the key is sent. Throws
 * CHANNEL_NOT_FOUND, CHANNEL_TYPE_UNSERVED, MODEL_LIST_UNSUPPORTED, UPSTREAM_*.
 */
export async function modelsOfChannel(
  { channels, channelDirectory, audit }: Pick<LocalToolkit, 'channels' | 'channelDirectory' | 'audit'>,
  actor: Actor,
  id: number,
  guard?: ProbeGuard,
): Promise<string[]> {
  const { type } = await channels.get(actor, id)
  const channel = (await channelDirectory()).find(id)
  if (!channel) throw unservedError(type)
  requireModelList(channel.type)
  await audit.writeAlone(actor, { action: 'channel.models', object: `channel:${id}` })
  return listModels(channel, { channel, guard })
}

/**
 * Returns the models of an upstream that has no stored channel yet. If `key` contains several keys, uses the first key.
 * Throws CHANNEL_TYPE_UNKNOWN, CHANNEL_TYPE_UNSERVED, CHANNEL_BASE_URL_MISSING, MODEL_LIST_UNSUPPORTED, FIELD_*,
 * UPSTREAM_*.
 */
export async function modelsAt(
  { base_url, type: number, key }: { base_url: string; type: number; key: string },
  guard?: ProbeGuard,
): Promise<string[]> {
  if (!findAnyType(number)) throw new GatewayError('CHANNEL_TYPE_UNKNOWN', { value: number })
  const type = findChannelType(number)
  if (!type) throw unservedError(number)
  const baseUrl = serverAddress('base_url', base_url) || type.baseUrl
  if (baseUrl === '' && type.modelList)
    throw new GatewayError('CHANNEL_BASE_URL_MISSING', { field: 'base_url', type: type.name })
  const [firstKey = ''] = splitKeys(key)
  return listModels({ type, baseUrl, key: firstKey, other: '' }, { guard })
}

function unservedError(type: number): GatewayError {
  return new GatewayError('CHANNEL_TYPE_UNSERVED', { type, name: findAnyType(type)?.name ?? '?' })
}
