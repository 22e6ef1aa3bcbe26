import { setTimeout as sleep } from 'node:timers/promises'
import type { LiveChannel } from '../../core/channels/directory.ts'
import type { GuardedClient } from '../guarded/client.ts'
import { Allowance, Downloads } from './downloads.ts'
import type { Interruption } from './interruption.ts'
import type { GeminiSettings } from './providers/gemini/settings.ts'
import type { Means } from './providers/provider.ts'
import type { Upstream } from './upstream.ts'

const CALL_TIMEOUT_MS = 30_000
const CALL_BYTES_MAX = 64 * 1024 * 1024

/** What providers may need for one relay through one channel. `downloads`: those that all attempts of a relay share. */
export type MeansOf = (
  channel: LiveChannel,
  interruption: Pick<Interruption, 'signal' | 'cause'>,
  downloads?: Downloads,
) => Means

/** The parts of `Means` that all channels share. */
export interface SharedMeans {
  upstream: Upstream
  credentials: Pick<Means, 'credential' | 'forgetCredential'>
  signatures: Means['signatures']
  /** Downloads from public addresses only. */
  media: GuardedClient['fetch']
  /** Bytes of all files in one request. */
  mediaBytesMax: number
  gemini?: GeminiSettings
}

export function createMeans({ upstream, credentials, signatures, media, mediaBytesMax, gemini }: SharedMeans): MeansOf {
  return (channel, interruption, downloads = new Downloads()) => {
    const allowance = new Allowance(mediaBytesMax)
    const options = { proxy: channel.settings.proxy, signal: interruption.signal }
    // The signal is given once, and not again to those that begin to listen after it.
    const checkWanted = () => {
      if (interruption.cause) throw new Error('The relay has ended')
    }
    return {
      ...credentials,
      signatures,
      ...(gemini && { gemini }),
      async media(url, uses = 1) {
        checkWanted()
        const file = await downloads.get(url, async () => {
          // Its turn comes late: the others may have been too large meanwhile.
          allowance.spend(0)
          return media(url, options)
        })
        allowance.spend(file.data.length * uses)
        return file
      },
      now: Date.now,
      async call(request, { timeoutMs = CALL_TIMEOUT_MS, bytesMax = CALL_BYTES_MAX } = {}) {
        checkWanted()
        const reply = await upstream.send(request, {
          signal: interruption.signal,
          headersTimeoutMs: timeoutMs,
          channel,
        })
        const parts: Buffer[] = []
        let size = 0
        for await (const part of reply.body) {
          size += part.length
          if (size > bytesMax) throw new Error(`An upstream answered more than ${bytesMax} bytes`)
          parts.push(part)
        }
        return { status: reply.statusCode, headers: reply.headers, body: Buffer.concat(parts) }
      },
      async sleep(ms) {
        checkWanted()
        const ended = new AbortController()
        const end = () => ended.abort()
        interruption.signal.once('abort', end)
        try {
          await sleep(ms, undefined, { signal: ended.signal })
        } finally {
          interruption.signal.off('abort', end)
        }
      },
    }
  }
}
