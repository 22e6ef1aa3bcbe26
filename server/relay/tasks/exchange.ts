import { EventEmitter } from 'node:events'
import type { LiveChannel } from '../../../core/channels/directory.ts'
import { withOverrides } from '../attempt/overrides.ts'
import type { Interruption } from '../delivery/interruption.ts'
import type { UpstreamRequest } from '../providers/provider.ts'
import type { Links } from '../transport/links.ts'
import { isTimeout, UnsentError } from '../transport/upstream.ts'

/** What a server that takes tasks answered, whatever its status. */
export interface TaskReply {
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  bytes: Buffer
}

/**
 * How an exchange failed: nothing of the request left (`unsent`), or it may have been taken without our hearing of it, since
 * no answer came in time (`late`) or the connection broke (`broken`).
 */
export type ExchangeTrouble = 'unsent' | 'late' | 'broken'

export interface TaskExchangeOptions {
  /** For all of it, from the first byte to the last. */
  timeoutMs: number
  bytesMax: number
  /** Either ends it early. */
  interruption?: Pick<Interruption, 'signal' | 'cause'>
  abort?: AbortSignal
  /** All that the client sent, for channels whose `header_override` repeats one. */
  clientHeaders?: Readonly<Record<string, string | string[] | undefined>>
}

/** For questions about tasks: what a channel lays over those that are submitted has no place in them. */
export function withoutParams(channel: LiveChannel): LiveChannel {
  const { paramOverride: _, ...settings } = channel.settings
  return { ...channel, settings }
}

/**
 * One exchange with a server that takes tasks, through the channel's proxy and with its overrides. Throws what the connection
 * throws, and a plain Error for an answer that is too large; `troubleOf` tells what it means.
 */
export async function exchange(
  links: Pick<Links, 'meansOf'>,
  channel: LiveChannel,
  request: UpstreamRequest,
  { timeoutMs, bytesMax, interruption, abort, clientHeaders = {} }: TaskExchangeOptions,
): Promise<TaskReply> {
  const signal = new EventEmitter()
  const end = () => void signal.emit('abort')
  if (interruption?.cause || abort?.aborted) throw new UnsentError('It was ended before it began')
  interruption?.signal.on('abort', end)
  abort?.addEventListener('abort', end)
  let late = false
  const timer = setTimeout(() => {
    late = true
    end()
  }, timeoutMs)
  const ask = { raw: Buffer.alloc(0), clientHeaders }
  try {
    const means = links.meansOf(channel, { signal, cause: undefined })
    const overridden = withOverrides(request, { ask, channel, native: false })
    const { status, headers, body } = await means.call(overridden, { timeoutMs, bytesMax })
    return { status, headers, bytes: body }
  } catch (error) {
    throw late && !(error instanceof UnsentError)
      ? new LateError(`No answer in ${timeoutMs} ms`, { cause: error })
      : error
  } finally {
    clearTimeout(timer)
    interruption?.signal.off('abort', end)
    abort?.removeEventListener('abort', end)
  }
}

class LateError extends Error {
  override readonly name = 'LateError'
}

export function troubleOf(error: unknown): ExchangeTrouble {
  if (error instanceof UnsentError) return 'unsent'
  return error instanceof LateError || isTimeout(error) ? 'late' : 'broken'
}
