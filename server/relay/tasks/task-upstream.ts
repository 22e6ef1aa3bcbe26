import { EventEmitter } from 'node:events'
import type { LiveChannel } from '../../../core/channels/directory.ts'
import { GatewayError } from '../../../core/errors.ts'
import { joinAddress } from '../providers/openai/address.ts'
import type { Upstream } from '../upstream.ts'

/** Descriptions of a few hundred tasks, buttons included, are far smaller. */
const BYTES_MAX = 16 * 1024 * 1024

export interface TaskQuestion {
  method: 'GET' | 'POST'
  /** With its query, below the channel's base URL. */
  path: string
  headers: Record<string, string>
  body?: string
}

export interface TaskAnswer {
  status: number
  body: Buffer
}

/** Why there is no answer: nothing came, or it could not be read to its end. */
export class TaskUpstreamError extends Error {
  constructor(
    readonly stage: 'asking' | 'reading',
    reason: string,
    options?: ErrorOptions,
  ) {
    super(reason, options)
  }
}

/**
 * One short exchange with the upstream that has a task, through the channel's proxy: no longer than `timeoutMs` from its
 * beginning to its end. `signal` emits `abort`, or is one of the platform. Throws TaskUpstreamError, whose message names
 * neither address nor key, and CHANNEL_MISCONFIGURED.
 */
export async function askTaskUpstream(
  upstream: Pick<Upstream, 'send'>,
  channel: LiveChannel,
  { path, ...question }: TaskQuestion,
  { timeoutMs, signal }: { timeoutMs: number; signal: EventEmitter | AbortSignal },
): Promise<TaskAnswer> {
  const ending = new EventEmitter()
  let why: string | undefined
  const end = (reason: string) => {
    why ??= reason
    ending.emit('abort')
  }
  const stop = () => end('the gateway stops')
  const timer = setTimeout(() => end('the upstream took too long'), timeoutMs)
  const unlisten = whenAborted(signal, stop)
  let stage: TaskUpstreamError['stage'] = 'asking'
  try {
    const url = joinAddress(channel.baseUrl, path)
    const options = { signal: ending, headersTimeoutMs: timeoutMs, channel }
    const reply = await upstream.send({ url, ...question, body: question.body ?? null }, options)
    stage = 'reading'
    const parts: Buffer[] = []
    let size = 0
    for await (const part of reply.body) {
      size += part.length
      if (size > BYTES_MAX) {
        end('the answer is too large')
        break
      }
      parts.push(part)
    }
    if (why) throw new Error(why)
    return { status: reply.statusCode, body: Buffer.concat(parts) }
  } catch (cause) {
    if (cause instanceof GatewayError) throw cause
    throw new TaskUpstreamError(stage, why ?? 'the upstream does not answer', { cause })
  } finally {
    clearTimeout(timer)
    unlisten()
  }
}

function whenAborted(signal: EventEmitter | AbortSignal, stop: () => void): () => void {
  if (signal instanceof EventEmitter) {
    signal.on('abort', stop)
    return () => signal.off('abort', stop)
  }
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop)
  return () => signal.removeEventListener('abort', stop)
}
