import { EventEmitter } from 'node:events'
import type { FastifyReply } from 'fastify'
import type { Logger } from 'pino'
import { CHANNEL_STATUS } from '../../../../core/channels/channel.ts'
import type { ChannelHealth } from '../../../../core/channels/health/health.ts'
import { withStoredKey } from '../../../../core/channels/keys/key-ring.ts'
import type { ChannelDirectory, LiveChannel } from '../../../../core/channels/routing/directory.ts'
import type { GatewayError } from '../../../../core/errors.ts'
import type { LocalToolkit } from '../../../../core/toolkit.ts'
import type { Json } from '../../json.ts'
import { joinAddress } from '../../providers/openai/address.ts'
import type { OutboundClients } from '../../transport/outbound-clients.ts'
import { hasServer } from '../attempts.ts'
import { callTaskServer, type ExchangeTrouble, type TaskExchangeOptions, type TaskReply } from '../exchange.ts'
import type { RunningSubmissions } from '../running.ts'
import { drawingError, UPSTREAM_ERROR } from './refusal.ts'

/** Maximum size of a reply, which is far larger than a list of a few hundred tasks. */
const BYTES_MAX = 16 * 1024 * 1024

export interface DrawingParts {
  toolkit: LocalToolkit
  directory: ChannelDirectory
  links: Pick<OutboundClients, 'providerContextFor' | 'guarded'>
  submissions: RunningSubmissions
  health: Pick<ChannelHealth, 'begin'>
  logger: Logger
}

/** Returns the channel that has a task, with the task's key. Throws DRAWING_REFUSED. */
export function channelOf(
  { directory }: Pick<DrawingParts, 'directory'>,
  { channel_id, key_digest }: { channel_id: number; key_digest: string },
): LiveChannel {
  const channel = directory.find(channel_id)
  if (!channel || !hasServer(channel)) throw drawingError('get_channel_info_failed')
  if (channel.status !== CHANNEL_STATUS.enabled) throw drawingError('该任务所属渠道已被禁用')
  return withStoredKey(channel, key_digest)
}

/** Sends a request to a channel's drawing server, with the channel's key. Throws the errors of `callTaskServer`. */
export function callDrawingServer(
  { links }: Pick<DrawingParts, 'links'>,
  channel: LiveChannel,
  { path, body }: { path: string; body?: Json },
  options: Omit<TaskExchangeOptions, 'bytesMax'>,
): Promise<TaskReply> {
  const type = body && { 'content-type': 'application/json' }
  const headers = { ...type, accept: 'application/json', 'mj-api-secret': channel.key }
  const url = joinAddress(channel.baseUrl, path)
  const method = body ? 'POST' : 'GET'
  const proxyRequest = { url, method, headers, body: body ? JSON.stringify(body) : null } as const
  return callTaskServer(links, channel, proxyRequest, { ...options, bytesMax: BYTES_MAX })
}

/** Returns the drawing API's error for a missing reply. */
export function noReplyError(trouble: ExchangeTrouble, cause?: unknown): GatewayError {
  const [reason, result] = TROUBLE_TEXTS[trouble]
  return drawingError(reason, { result, code: UPSTREAM_ERROR, cause })
}

const TROUBLE_TEXTS = {
  unsent: ['do_request_failed', 'the upstream could not be reached'],
  late: ['do_request_failed', 'the upstream did not answer in time'],
  broken: ['read_response_body_failed', 'the upstream broke off'],
} as const satisfies Record<ExchangeTrouble, unknown>

/** Returns an emitter that emits `abort` when the client disconnects, for exchanges without a charge. */
export function disconnectSignal(reply: FastifyReply): EventEmitter {
  const signal = new EventEmitter()
  reply.raw.once('close', () => signal.emit('abort'))
  return signal
}
