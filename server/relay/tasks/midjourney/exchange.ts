import { EventEmitter } from 'node:events'
import type { FastifyReply } from 'fastify'
import type { Logger } from 'pino'
import { CHANNEL_STATUS } from '../../../../core/channels/channel.ts'
import type { ChannelDirectory, LiveChannel } from '../../../../core/channels/directory.ts'
import type { FailedAttempt } from '../../../../core/channels/health/evidence.ts'
import type { ChannelHealth } from '../../../../core/channels/health/health.ts'
import { GatewayError } from '../../../../core/errors.ts'
import type { LocalToolkit } from '../../../../core/toolkit.ts'
import type { Json } from '../../json.ts'
import type { Links } from '../../links.ts'
import { failure } from '../../providers/failure.ts'
import { joinAddress } from '../../providers/openai/address.ts'
import { isUnreached } from '../../upstream.ts'
import { exchange, type TaskExchangeOptions, type TaskReply, troubleOf } from '../exchange.ts'
import type { RunningSubmissions } from '../running.ts'
import { refuseDrawing, UPSTREAM_ERROR } from './refusal.ts'

/** Descriptions of a few hundred tasks, buttons included, are far smaller. */
const BYTES_MAX = 16 * 1024 * 1024

/** What the drawing API is made of. */
export interface DrawingParts {
  toolkit: LocalToolkit
  directory: ChannelDirectory
  links: Pick<Links, 'meansOf' | 'guarded'>
  submissions: RunningSubmissions
  health: ChannelHealth
  logger: Logger
}

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

/** A vendor's own address is nobody's proxy: any type of channel may serve drawings, but its operator says where. */
export function hasProxy({ baseUrl, type }: LiveChannel): boolean {
  return baseUrl !== '' && baseUrl !== type.baseUrl
}

/** Asks a channel's proxy with the channel's own key. Throws DRAWING_REFUSED. */
export async function askProxy(
  { links }: Pick<DrawingParts, 'links'>,
  channel: LiveChannel,
  { path, body }: { path: string; body?: Json },
  options: Omit<TaskExchangeOptions, 'bytesMax'>,
): Promise<TaskReply> {
  const type = body && { 'content-type': 'application/json' }
  const headers = { ...type, accept: 'application/json', 'mj-api-secret': channel.key }
  const url = joinAddress(channel.baseUrl, path)
  const question = { url, method: body ? 'POST' : 'GET', headers, body: body ? JSON.stringify(body) : null } as const
  return exchange(links, channel, question, { ...options, bytesMax: BYTES_MAX }).catch(refuseExchange)
}

function refuseExchange(cause: unknown): never {
  if (cause instanceof GatewayError && cause.code !== 'CHANNEL_MISCONFIGURED') throw cause
  const [reason, result] = cause instanceof GatewayError ? ['create_request_failed', ''] : TROUBLES[troubleOf(cause)]
  throw refuseDrawing(reason, { result, code: UPSTREAM_ERROR, cause })
}

const TROUBLES = {
  unsent: ['do_request_failed', 'the upstream could not be reached'],
  late: ['do_request_failed', 'the upstream did not answer in time'],
  broken: ['read_response_body_failed', 'the upstream broke off'],
} as const

/** Whether what was asked surely never came to the proxy, so that another may be asked. */
export function isUnsent(error: unknown): boolean {
  if (!(error instanceof GatewayError) || error.code !== 'DRAWING_REFUSED' || error.cause === undefined) return false
  return error.cause instanceof GatewayError || troubleOf(error.cause) === 'unsent'
}

/** What an exchange that failed says of the channel; undefined: it was never asked. */
export function failedAttempt(error: unknown): FailedAttempt | undefined {
  if (!(error instanceof GatewayError) || error.cause === undefined || error.cause instanceof GatewayError)
    return undefined
  const found = failure(502, 'The upstream could not be reached, or broke off', { code: 'do_request_failed' })
  return { ...found, ...(isUnreached(error.cause) && { unreached: true }) }
}

/** Emits `abort` when the client leaves: for what nobody pays. */
export function leaving(reply: FastifyReply): EventEmitter {
  const signal = new EventEmitter()
  reply.raw.once('close', () => signal.emit('abort'))
  return signal
}

/** What a channel lays over what clients want drawn has no place in questions about it. */
export function withoutParams(channel: LiveChannel): LiveChannel {
  const { paramOverride: _, ...settings } = channel.settings
  return { ...channel, settings }
}
