import { setTimeout as sleep } from 'node:timers/promises'
import type { LiveChannel } from '../../../core/channels/routing/directory.ts'
import type { GuardedClient } from '../../guarded/client.ts'
import type { Interruption } from '../delivery/interruption.ts'
import type { GeminiSettings } from '../providers/gemini/settings.ts'
import type { ProviderContext, UpstreamRequest } from '../providers/provider.ts'
import type { Upstream } from '../transport/upstream.ts'
import { Allowance, Downloads } from './downloads.ts'
import type { ThoughtOwner, Thoughts } from './thoughts.ts'

const CALL_TIMEOUT_MS = 30_000
const CALL_BYTES_MAX = 64 * 1024 * 1024

/** Creates the provider's context for one attempt on one channel. All attempts of a relay share `downloads`. */
export type ProviderContextFor = (
  channel: LiveChannel,
  interruption: Pick<Interruption, 'signal' | 'cause'>,
  downloads?: Downloads,
  owner?: ThoughtOwner,
) => ProviderContext

/** Services that the contexts of all channels share. */
export interface SharedContext {
  upstream: Upstream
  credentials: Pick<ProviderContext, 'credential' | 'forgetCredential'>
  signatures: ProviderContext['signatures']
  /** The store of the models' reasoning, which all processes share. */
  thoughts?: Thoughts
  /** Downloads a file, from public addresses only. */
  media: GuardedClient['fetch']
  /** Maximum bytes of all files in one request. */
  mediaBytesMax: number
  gemini?: GeminiSettings
}

export function createProviderContexts(shared: SharedContext): ProviderContextFor {
  return (channel, interruption, downloads, owner) =>
    new ChannelContext(shared, channel, interruption, downloads, owner)
}

/** A class, because closures would be created for each attempt, although most attempts call none of these methods. */
class ChannelContext implements ProviderContext {
  declare readonly gemini?: GeminiSettings
  private allowance: Allowance | undefined

  constructor(
    private readonly shared: SharedContext,
    private readonly channel: LiveChannel,
    private readonly interruption: Pick<Interruption, 'signal' | 'cause'>,
    private downloads: Downloads | undefined,
    private readonly owner: ThoughtOwner | undefined,
  ) {
    if (shared.gemini) this.gemini = shared.gemini
  }

  get signatures(): ProviderContext['signatures'] {
    const { thoughts, signatures } = this.shared
    return thoughts && this.owner ? thoughts.of(this.owner) : signatures
  }

  credential(...parameters: Parameters<ProviderContext['credential']>): Promise<string> {
    return this.shared.credentials.credential(...parameters)
  }

  forgetCredential(key: string): void {
    this.shared.credentials.forgetCredential(key)
  }

  now(): number {
    return Date.now()
  }

  async download(url: string, uses = 1): Promise<{ data: Buffer; mime: string }> {
    this.throwIfEnded()
    this.downloads ??= new Downloads()
    this.allowance ??= new Allowance(this.shared.mediaBytesMax)
    const { allowance } = this
    const file = await this.downloads.get(url, async () => {
      // Other downloads may have used up the allowance while this download waited.
      allowance.spend(0)
      return this.shared.media(url, { proxy: this.channel.settings.proxy, signal: this.interruption.signal })
    })
    allowance.spend(file.data.length * uses)
    return file
  }

  async call(
    request: UpstreamRequest,
    { timeoutMs = CALL_TIMEOUT_MS, bytesMax = CALL_BYTES_MAX }: { timeoutMs?: number; bytesMax?: number } = {},
  ): ReturnType<ProviderContext['call']> {
    this.throwIfEnded()
    const reply = await this.shared.upstream.send(request, {
      signal: this.interruption.signal,
      headersTimeoutMs: timeoutMs,
      channel: this.channel,
    })
    const parts: Buffer[] = []
    let size = 0
    for await (const part of reply.body) {
      size += part.length
      if (size > bytesMax) throw new Error(`An upstream answered more than ${bytesMax} bytes`)
      parts.push(part)
    }
    return { status: reply.statusCode, headers: reply.headers, body: Buffer.concat(parts) }
  }

  async sleep(ms: number): Promise<void> {
    this.throwIfEnded()
    const controller = new AbortController()
    const abort = () => controller.abort()
    this.interruption.signal.once('abort', abort)
    try {
      await sleep(ms, undefined, { signal: controller.signal })
    } finally {
      this.interruption.signal.off('abort', abort)
    }
  }

  /** Throws if the relay has ended, because a listener that is added afterward would miss the signal. */
  private throwIfEnded(): void {
    if (this.interruption.cause) throw new Error('The relay has ended')
  }
}
