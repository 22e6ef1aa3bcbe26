import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { LiveChannel } from '../../core/channels/directory.ts'
import { chooseKey } from '../../core/channels/key-ring.ts'
import { pickChannel } from '../../core/channels/routing.ts'
import type { Config } from '../../core/config.ts'
import type { GatewayError } from '../../core/errors.ts'
import type { Admitted } from './admission.ts'
import { type AttemptResult, attempt } from './attempt.ts'
import type { Conversation } from './conversation/conversation.ts'
import { DIALECTS } from './dialects/dialects.ts'
import { Downloads } from './downloads.ts'
import type { Coverage } from './extend.ts'
import type { Interruption } from './interruption.ts'
import type { MeansOf } from './means.ts'
import type { Ask } from './providers/provider.ts'
import { withoutServiceTier } from './service-tier.ts'
import type { Upstream } from './upstream.ts'

const BACKOFF_MS = 25
const BACKOFF_MAX_MS = 1000

/** The last attempt of a relay, and every channel that was asked. */
export interface Tried {
  result: AttemptResult
  /** With the key that was used, of several. */
  channel: LiveChannel
  /** The name by which that channel's upstream knows the model. */
  upstreamModel: string
  tried: readonly number[]
}

/**
 * Asks channels until one answers, each at most once, 1 + `retries` of them at most. Undefined: none was left to ask. Throws
 * the first refusal when none could be asked at all, and a refusal that an upstream's reply amounts to.
 */
export async function tryChannels(
  admitted: Admitted,
  interruption: Interruption,
  {
    upstream,
    meansOf,
    config,
    retries,
    random,
    coverage,
    logger,
  }: {
    upstream: Upstream
    meansOf: MeansOf
    config: Pick<Config, 'relayTimeoutMs' | 'firstTokenTimeoutMs'>
    retries: number
    /** What channels are chosen by, in [0, 1). */
    random: () => number
    coverage: Coverage
    logger: Logger
  },
): Promise<Tried | undefined> {
  const { channels, caller, model, requestId } = admitted
  const { relayTimeoutMs, firstTokenTimeoutMs } = config
  const attemptsMax = caller.pinnedChannelId ? 1 : 1 + retries
  const tried = new Set<number>()
  const downloads = new Downloads()
  let asked = 0
  let last: Tried | undefined
  let refusal: GatewayError | undefined
  while (asked < attemptsMax) {
    const picked = pickChannel(channels, ({ id }) => !tried.has(id), random)
    const channel = picked && chooseKey(picked, () => true, random)
    if (!channel) break
    if (last) await sleep(Math.random() * Math.min(BACKOFF_MS * 2 ** tried.size, BACKOFF_MAX_MS))
    if (interruption.cause) return { ...(last as Tried), result: { kind: 'cut' } }
    tried.add(channel.id)
    const key = channel.keyName?.digest
    const upstreamModel = mappedModel(model, channel.modelMapping)
    const ask = askOf(admitted, channel, upstreamModel)
    const means = meansOf(channel, interruption, downloads)
    const timeouts = { relayTimeoutMs, firstTokenTimeoutMs }
    const result = await attempt(ask, channel, { upstream, means, interruption, coverage, ...timeouts })
    if (result.kind === 'passed-over') {
      // Nobody was asked yet, and another channel may be able to.
      const { code, params } = result.refusal
      refusal ??= result.refusal
      logger.warn({ requestId, channel: channel.id, key, model, code, ...params }, 'channel passed over')
      continue
    }
    asked += 1
    last = { result, channel, upstreamModel, tried: [...tried] }
    if (result.kind !== 'failure') break
    const { status, code, message, retry } = result.failure
    logger.warn({ requestId, channel: channel.id, key, model, status, code, reason: message }, 'attempt failed')
    if (retry === 'never') break
  }
  if (!last && refusal) throw refusal
  return last
}

/** The client's request as one channel's provider sees it. */
function askOf(admitted: Admitted, channel: LiveChannel, model: string): Ask {
  const { entry, stream, query, headers, clientHeaders, upload } = admitted
  const dialect = DIALECTS[entry.dialect]
  const { systemPrompt, systemPromptOverride: before } = channel.settings
  const asked = withoutServiceTier(admitted.body, channel.settings, entry.operation)
  const body =
    systemPrompt && entry.operation === 'chat' ? dialect.withSystemPrompt(asked, systemPrompt, { before }) : asked
  let conversation: Conversation | undefined
  return {
    operation: entry.operation,
    dialect: entry.dialect,
    raw: body === admitted.body ? admitted.raw : Buffer.from(JSON.stringify(body)),
    body,
    model,
    requestedModel: admitted.model,
    stream,
    query,
    headers,
    clientHeaders,
    conversation() {
      conversation ??= dialect.parse(body)
      return conversation
    },
    ...(upload && { upload }),
  }
}

/** The upstream's name of a model: a channel's mapping is followed to its end; a loop in it is left where it closes. */
export function mappedModel(model: string, mapping: Readonly<Record<string, string>>): string {
  const seen = new Set([model])
  let name = model
  while (Object.hasOwn(mapping, name)) {
    const next = mapping[name] as string
    if (next === '' || seen.has(next)) return name
    seen.add(next)
    name = next
  }
  return name
}
