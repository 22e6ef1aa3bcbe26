import type { Actor } from '../../core/actor.ts'
import { serverAddress } from '../../core/channels/check.ts'
import type { LiveChannel } from '../../core/channels/directory.ts'
import { findAnyType } from '../../core/channels/types.ts'
import { GatewayError } from '../../core/errors.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'
import { isObject } from '../relay/json.ts'
import { joinAddress } from '../relay/providers/openai/address.ts'
import { ask, bearer } from './ask.ts'
import { apiRoot } from './balance.ts'

/** The models that an upstream says it has, asked through a channel's proxy. Throws CHANNEL_MISCONFIGURED, UPSTREAM_*. */
async function listModels(
  { baseUrl, key }: { baseUrl: string; key: string },
  channel?: LiveChannel,
): Promise<string[]> {
  const { data } = await ask(joinAddress(baseUrl, '/v1/models'), bearer(key), channel)
  if (data === null || data === undefined) return []
  if (!Array.isArray(data)) throw new GatewayError('UPSTREAM_UNREADABLE', { reason: 'data is not a list' })
  return data.flatMap((model: unknown) => (isObject(model) && typeof model.id === 'string' ? [model.id] : []))
}

/** Those of a stored channel's upstream. Throws CHANNEL_NOT_FOUND, CHANNEL_TYPE_UNSERVED, UPSTREAM_*. */
export async function modelsOfChannel(
  { channels, channelDirectory }: Pick<LocalToolkit, 'channels' | 'channelDirectory'>,
  actor: Actor,
  id: number,
): Promise<string[]> {
  const { type } = await channels.get(actor, id)
  const channel = (await channelDirectory()).find(id)
  if (!channel) throw new GatewayError('CHANNEL_TYPE_UNSERVED', { type, name: findAnyType(type)?.name ?? '?' })
  return listModels({ baseUrl: apiRoot(channel), key: channel.key }, channel)
}

/**
 * Those of an upstream that is not stored yet; of several keys the first is used. The address is an administrator's
 * choice. Throws CHANNEL_TYPE_UNKNOWN, CHANNEL_BASE_URL_MISSING, FIELD_*, UPSTREAM_*.
 */
export async function modelsAt({ base_url, type, key }: { base_url: string; type: number; key: string }) {
  const kind = findAnyType(type)
  if (!kind) throw new GatewayError('CHANNEL_TYPE_UNKNOWN', { value: type })
  const baseUrl = serverAddress('base_url', base_url) || kind.baseUrl
  if (baseUrl === '') throw new GatewayError('CHANNEL_BASE_URL_MISSING', { type: kind.name })
  const [first = ''] = key.trim().split('\n')
  return listModels({ baseUrl, key: first.trim() })
}
