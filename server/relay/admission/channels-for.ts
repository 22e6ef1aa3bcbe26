import { CHANNEL_STATUS } from '../../../core/channels/channel.ts'
import type { ChannelDirectory, LiveChannel } from '../../../core/channels/routing/directory.ts'
import type { Operation } from '../../../core/channels/routing/operations.ts'
import { type Pool, poolOf } from '../../../core/channels/routing/routing.ts'
import { GatewayError } from '../../../core/errors.ts'
import { because } from '../../../core/messages/reasons.ts'
import { pricedName } from '../../../core/pricing/names.ts'
import type { Caller } from './authenticate.ts'

/**
 * Retry-After in seconds if all channels of a model are disabled. Within this time, an operator or a test may enable a
 * channel.
 */
export const DISABLED_RETRY_S = 30

/**
 * Returns the pinned channel, or else the channels that serve a model for a group and support `operation`. Throws:
 * - TOKEN_MODEL: the key may not use the model
 * - CHANNELS_DISABLED: only disabled channels serve the model for the group
 * - MODEL_NOT_FOUND: no channel serves the model
 * - NO_CHANNEL: only channels of other groups serve the model
 * - OPERATION_UNSUPPORTED: no channel of the group that serves the model supports the operation
 * - CHANNEL_ID_INVALID, CHANNEL_DISABLED: the pinned channel is unknown or disabled
 */
export function channelsFor(
  caller: Caller,
  {
    model,
    group,
    operation,
    directory,
  }: { model: string; group: string; operation?: Operation; directory: ChannelDirectory },
): Pool<LiveChannel> {
  const unsupported = () =>
    new GatewayError('OPERATION_UNSUPPORTED', because('operationUnserved', { operation, model }))
  if (caller.pinnedChannelId) {
    const channel = pinnedChannel(caller.pinnedChannelId, directory)
    if (operation && !channel.type.operations.includes(operation)) throw unsupported()
    return poolOf([channel])
  }
  if (caller.token.models && !caller.token.models.has(model)) throw new GatewayError('TOKEN_MODEL', { model })
  const routedModel = pricedName(model)
  const channels = directory.pool(group, routedModel, operation)
  if (channels.size) return channels
  if (directory.isDisabledFor(group, routedModel, operation)) {
    throw new GatewayError('CHANNELS_DISABLED', { model, seconds: DISABLED_RETRY_S })
  }
  if (!directory.serves(routedModel)) throw new GatewayError('MODEL_NOT_FOUND', { model })
  if (directory.pool(group, routedModel).size) throw unsupported()
  throw new GatewayError('NO_CHANNEL', { model, group })
}

function pinnedChannel(id: number, directory: ChannelDirectory): LiveChannel {
  const channel = directory.find(id)
  if (!channel) throw new GatewayError('CHANNEL_ID_INVALID', { id })
  if (channel.status !== CHANNEL_STATUS.enabled) throw new GatewayError('CHANNEL_DISABLED', { id })
  return channel
}
