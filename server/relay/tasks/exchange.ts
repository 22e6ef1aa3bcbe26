import { EventEmitter } from 'node:events'
import type { LiveChannel } from '../../../core/channels/routing/directory.ts'
import { withOverrides } from '../attempt/overrides.ts'
import type { Interruption } from '../delivery/interruption.ts'
import type { UpstreamRequest } from '../providers/provider.ts'
import type { OutboundClients } from '../transport/outbound-clients.ts'
import { isTimeout, UnsentError } from '../transport/upstream.ts'

/** The reply of a task server, with any status. */
export interface TaskReply {
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  bytes: Buffer
}

/**
 * How an exchange failed. With `unsent`, nothing was sent. With `late`, no reply came in time. With `broken`, the
 * connection broke.
 *
 * After `late` or `broken`, the server may have accepted the request.
 */
export type ExchangeTrouble = 'unsent' | 'late' | 'broken'

export interface TaskExchangeOptions {
  /** Time limit for the whole exchange. */
  timeoutMs: number
  bytesMax: number
  /** Ends the exchange early, as `abort` does. */
  interruption?: Pick<Interruption, 'signal' | 'cause'>
  abort?: AbortSignal
  /** All client headers. A channel's `header_override` may refer to them. */
  clientHeaders?: Readonly<Record<string, string | string[] | undefined>>
}

/** Returns a channel without its parameter overrides, which apply only to submissions, not to queries about tasks. */
export function withoutParams(channel: LiveChannel): LiveChannel {
  const { paramOverride: _, ...settings } = channel.settings
  return { ...channel, settings }
}

/**
 * Runs one exchange with a task server, through the channel's proxy and with its overrides. Throws errors that
 * `troubleOf` classifies, including one for a reply that is too large.
 */
export async function callTaskServer(
  clients: Pick<OutboundClients, 'providerContextFor'>,
  channel: LiveChannel,
  request: UpstreamRequest,
  { timeoutMs, bytesMax, interruption, abort, clientHeaders = {} }: TaskExchangeOptions,
): Promise<TaskReply> {
  const signal = new EventEmitter()
  const abortExchange = () => void signal.emit('abort')
  if (interruption?.cause || abort?.aborted) throw new UnsentError('It was aborted before it started')
  interruption?.signal.on('abort', abortExchange)
  abort?.addEventListener('abort', abortExchange)
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    abortExchange()
  }, timeoutMs)
  const ask = { raw: Buffer.alloc(0), clientHeaders }
  try {
    const context = clients.providerContextFor(channel, { signal, cause: undefined })
    const overridden = withOverrides(request, { ask, channel, native: false })
    const { status, headers, body } = await context.call(overridden, { timeoutMs, bytesMax })
    return { status, headers, bytes: body }
  } catch (error) {
    throw isLate && !(error instanceof UnsentError)
      ? new LateError(`No answer in ${timeoutMs} ms`, { cause: error })
      : error
  } finally {
    clearTimeout(timer)
    interruption?.signal.off('abort', abortExchange)
    abort?.removeEventListener('abort', abortExchange)
  }
}

class LateError extends Error {
  override readonly name = 'LateError'
}

export function troubleOf(error: unknown): ExchangeTrouble {
  if (error instanceof UnsentError) return 'unsent'
  return error instanceof LateError || isTimeout(error) ? 'late' : 'broken'
}
