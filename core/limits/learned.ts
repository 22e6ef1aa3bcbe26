import type { IncomingHttpHeaders } from 'node:http'
import type { LiveChannel } from '../channels/routing/directory.ts'
import type { Database } from '../db/database.ts'
import type { LearnedLimit } from './schema.ts'

const FLUSH_MS = 5000
/** Maximum time until a reset. Longer times that an upstream reports are shortened to this maximum. */
const RESET_MAX_MS = 3_600_000
const HOUR_S = 3600

type Measure = 'requests' | 'tokens'

/** A limit as an upstream reported it. */
interface Learned {
  readonly measure: Measure
  /** 0 if not reported. */
  readonly amount: number
  readonly remaining: number
  /** Milliseconds of the monotonic clock. 0 if not reported. */
  readonly resetsAtMs: number
}

/** The limits of one upstream account: a channel, or one of its keys. */
interface AccountLimits {
  readonly channelId: number
  readonly digest: string
  readonly measures: Partial<Record<Measure, Learned>>
  /** Whether the limits have changed since they were last stored. */
  isNew: boolean
}

const NAMES = {
  requests: {
    remaining: ['x-ratelimit-remaining-requests', 'anthropic-ratelimit-requests-remaining'],
    amount: ['x-ratelimit-limit-requests', 'anthropic-ratelimit-requests-limit'],
    reset: ['x-ratelimit-reset-requests', 'anthropic-ratelimit-requests-reset'],
  },
  tokens: {
    remaining: ['x-ratelimit-remaining-tokens', 'anthropic-ratelimit-tokens-remaining'],
    amount: ['x-ratelimit-limit-tokens', 'anthropic-ratelimit-tokens-limit'],
    reset: ['x-ratelimit-reset-tokens', 'anthropic-ratelimit-tokens-reset'],
  },
} as const

/**
 * The limits of upstream accounts, as reported in reply headers. An account that has nothing left is tried after all
 * other accounts, until its reset. The values are stored regularly, so that administrators can see them.
 */
export class LearnedLimits {
  private readonly accounts = new Map<string, AccountLimits>()
  private timer: NodeJS.Timeout | undefined
  private usedUpUntilMs = 0

  constructor(
    private readonly db: Database,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  /** Whether some account may have nothing left. */
  get hasUsedUp(): boolean {
    return this.usedUpUntilMs > 0 && performance.now() < this.usedUpUntilMs
  }

  /** Reads the limits in the headers of a reply. Most upstreams send none. */
  note(channel: LiveChannel, headers: IncomingHttpHeaders): void {
    if (
      headers['x-ratelimit-remaining-requests'] === undefined &&
      headers['x-ratelimit-remaining-tokens'] === undefined &&
      headers['anthropic-ratelimit-requests-remaining'] === undefined
    ) {
      return
    }
    const digest = channel.keyName?.digest ?? ''
    const key = `${channel.id}/${digest}`
    const account = this.accounts.get(key) ?? { channelId: channel.id, digest, measures: {}, isNew: true }
    for (const measure of ['requests', 'tokens'] as const) {
      const learned = learnedOf(headers, measure)
      if (!learned) continue
      account.measures[measure] = learned
      if (learned.remaining <= 0) this.usedUpUntilMs = Math.max(this.usedUpUntilMs, learned.resetsAtMs)
    }
    account.isNew = true
    this.accounts.set(key, account)
    this.timer ??= setInterval(() => void this.flush().catch(this.onFailure), FLUSH_MS).unref()
  }

  /** Returns whether nothing is left in an account, according to its upstream. */
  isUsedUp({ id, keyName }: LiveChannel): boolean {
    const account = this.accounts.get(`${id}/${keyName?.digest ?? ''}`)
    if (!account) return false
    const nowMs = performance.now()
    const { requests, tokens } = account.measures
    return isUsedUp(requests, nowMs) || isUsedUp(tokens, nowMs)
  }

  private async flush(): Promise<void> {
    const rows = [...this.accounts.values()].filter(({ isNew }) => isNew)
    if (rows.length === 0) return
    for (const row of rows) row.isNew = false
    const offsetMs = Date.now() - performance.now()
    const stored = rows.flatMap(({ channelId, digest, measures }) =>
      Object.values(measures).map(
        ({ measure, amount, remaining, resetsAtMs }): LearnedLimit => ({
          channel_id: channelId,
          key_digest: digest,
          measure,
          amount,
          remaining,
          resets_at: resetsAtMs === 0 ? 0 : Math.ceil((resetsAtMs + offsetMs) / 1000),
          seen_at: Math.floor(Date.now() / 1000),
        }),
      ),
    )
    await this.db.transaction(async (trx) => {
      await trx('learned_limits').insert(stored).onConflict(['channel_id', 'key_digest', 'measure']).merge()
    })
  }

  async close(): Promise<void> {
    clearInterval(this.timer)
    await this.flush().catch(this.onFailure)
  }
}

function isUsedUp(learned: Learned | undefined, nowMs: number): boolean {
  return learned !== undefined && learned.remaining <= 0 && nowMs < learned.resetsAtMs
}

function learnedOf(headers: IncomingHttpHeaders, measure: Measure): Learned | undefined {
  const names = NAMES[measure]
  const remaining = numberIn(headers, names.remaining)
  if (remaining === undefined) return undefined
  const waitMs = untilReset(names.reset.map((name) => headers[name]).find((value) => typeof value === 'string'))
  const resetsAtMs = waitMs === undefined ? 0 : performance.now() + Math.min(waitMs, RESET_MAX_MS)
  return { measure, amount: numberIn(headers, names.amount) ?? 0, remaining, resetsAtMs }
}

function numberIn(headers: IncomingHttpHeaders, names: readonly string[]): number | undefined {
  const text = names.map((name) => headers[name]).find((value) => typeof value === 'string')
  return typeof text === 'string' && /^\d{1,15}$/.test(text.trim()) ? Number(text) : undefined
}

const UNITS_MS: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 }

/**
 * Returns the milliseconds until a reset, or undefined if the text is invalid. The text may be in OpenAI's format
 * (6m0s, 20ms), a number of seconds, or a date. `now` is in Unix milliseconds.
 */
function untilReset(text: unknown, now = Date.now()): number | undefined {
  if (typeof text !== 'string') return undefined
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) > HOUR_S * 1000 ? undefined : Number(text) * 1000
  if (/^(\d+(\.\d+)?(ms|[dhms]))+$/.test(text)) {
    const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|[dhms])/g)]
    return parts.reduce((sum, [, amount, unit = '']) => sum + Number(amount) * (UNITS_MS[unit] ?? 0), 0)
  }
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
