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
 * The way in which an exchange failed: nothing was sent (`unsent`), no reply came in time (`late`), or the connection
 * broke (`broken`). After `late` or `broken`, the server may have accepted the request.
 */
export type ExchangeTrouble = 'unsent' | 'late' | 'broken'

export interface TaskExchangeOptions {
  /** Maximum time for the whole exchange. */
  timeoutMs: number
  /** Maximum size of the reply. */
  bytesMax: number
  /** Ends the exchange early, as `abort` does. */
  interruption?: Pick<Interruption, 'signal' | 'cause'>
  abort?: AbortSignal
  /** All client headers. A channel's `header_override` may refer to them. */
  clientHeaders?: Readonly<Record<string, string | string[] | undefined>>
}

/** Returns a channel without its parameter overrides, which apply to submissions, but not to queries about tasks. */
export function withoutParams(channel: LiveChannel): LiveChannel {
  const { paramOverride: _, ...settings } = channel.settings
  return { ...channel, settings }
}

/**
 * Returns an emitter that emits `abort` when one of the sources aborts. `abort` emits it, too. `unlink` detaches the
 * emitter from the sources.
 */
export function linkAborts(interruption: TaskExchangeOptions['interruption'], source: AbortSignal | undefined) {
  const signal = new EventEmitter()
  const abort = () => void signal.emit('abort')
  interruption?.signal.on('abort', abort)
  source?.addEventListener('abort', abort)
  const unlink = () => {
    interruption?.signal.off('abort', abort)
    source?.removeEventListener('abort', abort)
  }
  return { signal, abort, unlink }
}

/**
 * Runs one exchange with a task server, through the channel's proxy and with its overrides. Throws errors that
 * `troubleOf` classifies, also for a reply that is too large.
 */
export async function callTaskServer(
  clients: Pick<OutboundClients, 'providerContextFor'>,
  channel: LiveChannel,
  request: UpstreamRequest,
  { timeoutMs, bytesMax, interruption, abort, clientHeaders = {} }: TaskExchangeOptions,
): Promise<TaskReply> {
  if (interruption?.cause || abort?.aborted) throw new UnsentError('It was aborted before it started')
  const link = linkAborts(interruption, abort)
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    link.abort()
  }, timeoutMs)
  const ask = { raw: Buffer.alloc(0), clientHeaders }
  try {
    const context = clients.providerContextFor(channel, { signal: link.signal, cause: undefined })
    const overridden = withOverrides(request, { ask, channel, native: false })
    const { status, headers, body } = await context.call(overridden, { timeoutMs, bytesMax })
    return { status, headers, bytes: body }
  } catch (error) {
    throw isLate && !(error instanceof UnsentError)
      ? new LateError(`No answer in ${timeoutMs} ms`, { cause: error })
      : error
  } finally {
    clearTimeout(timer)
    link.unlink()
  }
}

class LateError extends Error {
  override readonly name = 'LateError'
}

export function troubleOf(error: unknown): ExchangeTrouble {
  if (error instanceof UnsentError) return 'unsent'
  return error instanceof LateError || isTimeout(error) ? 'late' : 'broken'
}
