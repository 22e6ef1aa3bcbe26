import { EventEmitter } from 'node:events'
import type { FastifyReply } from 'fastify'
import { CHANNEL_STATUS } from '../../../../core/channels/channel.ts'
import type { LiveChannel } from '../../../../core/channels/directory.ts'
import { type Pool, pickChannel } from '../../../../core/channels/routing.ts'
import { GatewayError } from '../../../../core/errors.ts'
import { askTaskUpstream, type TaskAnswer, type TaskQuestion, TaskUpstreamError } from '../task-upstream.ts'
import type { DrawingParts } from './parts.ts'
import { refuseDrawing, UPSTREAM_ERROR } from './refusal.ts'

/** Where a task is, and must be asked after. Throws DRAWING_REFUSED. */
export function channelOf(
  { directory }: Pick<DrawingParts, 'directory'>,
  { channel_id }: { channel_id: number },
): LiveChannel {
  const channel = directory.find(channel_id)
  if (!channel || !hasProxy(channel)) throw refuseDrawing('get_channel_info_failed')
  if (channel.status !== CHANNEL_STATUS.enabled) throw refuseDrawing('该任务所属渠道已被禁用')
  return channel
}

/** The channel for a task that follows none. Throws DRAWING_REFUSED. */
export function drawnFrom(channels: Pool<LiveChannel>): LiveChannel {
  const channel = pickChannel(channels, hasProxy, Math.random)
  if (!channel) throw refuseDrawing('get_channel_info_failed')
  return channel
}

/** A vendor's own address is nobody's proxy: any type of channel may serve drawings, but its operator says where. */
export function hasProxy({ baseUrl, type }: LiveChannel): boolean {
  return baseUrl !== '' && baseUrl !== type.baseUrl
}

/** Asks a channel's proxy with the channel's own key. Throws DRAWING_REFUSED. */
export async function askProxy(
  { links }: Pick<DrawingParts, 'links'>,
  channel: LiveChannel,
  { method, path, body }: Omit<TaskQuestion, 'headers'>,
  options: { timeoutMs: number; signal: EventEmitter | AbortSignal },
): Promise<TaskAnswer> {
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  const headers = { ...type, accept: 'application/json', 'mj-api-secret': channel.key }
  const question = { method, path, headers, ...(body !== undefined && { body }) }
  return askTaskUpstream(links.upstream, channel, question, options).catch(refuseExchange)
}

function refuseExchange(cause: unknown): never {
  if (cause instanceof TaskUpstreamError) {
    const reason = cause.stage === 'asking' ? 'do_request_failed' : 'read_response_body_failed'
    throw refuseDrawing(reason, { result: cause.message, code: UPSTREAM_ERROR, cause })
  }
  if (cause instanceof GatewayError && cause.code === 'CHANNEL_MISCONFIGURED')
    throw refuseDrawing('create_request_failed', { code: UPSTREAM_ERROR, cause })
  throw cause
}

/** Emits `abort` when the client leaves: for what nobody pays. */
export function leaving(reply: FastifyReply): EventEmitter {
  const signal = new EventEmitter()
  reply.raw.once('close', () => signal.emit('abort'))
  return signal
}
