import { setTimeout as sleep } from 'node:timers/promises'
import { GATEWAY } from '../../core/actor.ts'
import { CHANNEL_STATUS, type Channel } from '../../core/channels/channel.ts'
import { NOTHING_LEFT, objectIn, proofNeeded } from '../../core/channels/settings/other-info.ts'
import { decideTest, type TestDecision, type TestRules } from '../../core/channels/status/test-decision.ts'
import { type ErrorCode, GatewayError } from '../../core/errors.ts'
import type { TestRound } from '../../core/mail/letters.ts'
import { OPTIONS } from '../../core/options/registry.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'
import { sendTest } from '../relay/channel-test.ts'
import { updateBalance } from './balance.ts'
import type { Guard } from './guard.ts'

const BALANCE_LANES = 8
/** Errors before any request to the upstream, after which no pause is needed. */
const NOT_ASKED: ReadonlySet<ErrorCode> = new Set([
  'CHANNEL_NOT_FOUND',
  'CHANNEL_MISCONFIGURED',
  'CHANNEL_TEST_UNSUPPORTED',
  'BALANCE_UNSUPPORTED',
])

interface RoundOptions {
  /** Guard of the administrator who started the round and may not query every address. */
  guard?: Guard | undefined
}

/** Operations on all channels. A failing channel does not stop the round; `signal` does. */
export interface ChannelRounds {
  /** Tests every channel of any status, one after the other, and enables or disables channels by the results. */
  test(signal: AbortSignal, options?: RoundOptions): Promise<TestRound>
  /**
   * Queries the balance of every enabled channel, and of those disabled for an empty balance; skips channels that cannot report it.
   * Returns the number of reported balances.
   */
  updateBalances(signal: AbortSignal, options?: RoundOptions): Promise<number>
}

export function createChannelRounds({
  toolkit,
  pauseMs,
  onFailure,
}: {
  toolkit: LocalToolkit
  /** Pause between channels, in milliseconds. */
  pauseMs: number
  onFailure: (error: unknown) => void
}): ChannelRounds {
  const { channels, options } = toolkit

  async function each<Item>(
    todo: readonly Item[],
    { lanes, signal }: { lanes: number; signal: AbortSignal },
    act: (item: Item) => Promise<void>,
  ): Promise<void> {
    const waiting = todo.values()
    async function lane(): Promise<void> {
      let asked = false
      for (const item of waiting) {
        if (asked && pauseMs > 0) await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => {}) // The round was aborted.
        if (signal.aborted) return
        try {
          await act(item)
          asked = true
        } catch (error) {
          if (!(error instanceof GatewayError)) onFailure(error)
          asked = !(error instanceof GatewayError && NOT_ASKED.has(error.code))
        }
      }
    }
    await Promise.all(Array.from({ length: lanes }, lane))
  }

  const rules = (): TestRules => ({
    slowSeconds: options.get(OPTIONS.ChannelDisableThreshold),
    disableFailing: options.get(OPTIONS.AutomaticDisableChannelEnabled),
    enablePassing: options.get(OPTIONS.AutomaticEnableChannelEnabled),
    keywords: options.get(OPTIONS.AutomaticDisableKeywords),
  })

  /** Applies the result of a test that used the channel's first usable key. Returns whether anything changed. */
  async function act(
    verdict: TestDecision,
    { id, key, aside }: { id: number; key: string | undefined; aside: readonly string[] },
  ): Promise<boolean> {
    if (verdict === undefined) return false
    if (verdict === 'enable') {
      const isAside = key !== undefined && aside.includes(key)
      if (isAside) return Boolean(await channels.enableKeyAutomatically(GATEWAY, id, key))
      return channels.enableAutomatically(GATEWAY, id)
    }
    const { disable, slow } = verdict
    if (key === undefined || slow) return channels.disableAutomatically(GATEWAY, id, disable)
    return Boolean(await channels.disableKeyAutomatically(GATEWAY, id, key, disable))
  }

  /** Retests a disabled key and enables it if it works. Returns whether it did. */
  async function retest(
    { id, type }: Channel,
    { digest, signal, guard }: RoundOptions & { digest: string; signal: AbortSignal },
  ): Promise<boolean> {
    if (!rules().enablePassing || signal.aborted) return false
    if (pauseMs > 0) await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => {})
    const { failure, seconds } = await sendTest(toolkit, GATEWAY, id, { key: digest, signal, guard })
    if (decideTest({ failure, seconds, type }, rules()) !== 'enable') return false
    return Boolean(await channels.enableKeyAutomatically(GATEWAY, id, digest))
  }

  return {
    async test(signal, { guard } = {}) {
      const round = { tested: 0, failed: 0, disabled: 0, enabled: 0 }
      await each(await channels.search(GATEWAY, {}), { lanes: 1, signal }, async (channel) => {
        const { id, type, status, multi_key } = channel
        const { failure, seconds, key } = await sendTest(toolkit, GATEWAY, id, { signal, guard })
        round.tested++
        if (failure) round.failed++
        const verdict = decideTest({ failure, seconds, type }, rules())
        const aside = multi_key?.set_aside.map(({ digest }) => digest) ?? []
        if (await act(verdict, { id, key, aside })) round[verdict === 'enable' ? 'enabled' : 'disabled']++
        if (status === CHANNEL_STATUS.disabled) return
        for (const { digest, reason } of multi_key?.set_aside ?? []) {
          if (digest === key || proofNeeded(reason) !== 'test') continue
          if (await retest(channel, { digest, signal, guard })) round.enabled++
        }
      })
      return round
    },

    async updateBalances(signal, { guard } = {}) {
      const asked = (await channels.search(GATEWAY, {})).flatMap((channel) => accountsOf(channel, rules()))
      let told = 0
      const directory = await toolkit.channelDirectory()
      await each(asked, { lanes: pauseMs > 0 ? 1 : BALANCE_LANES, signal }, async ({ id, key, isOut }) => {
        const used = key ?? directory.find(id)?.ring?.usable[0]?.keyName.digest
        const balance = await updateBalance(toolkit, GATEWAY, id, { key, guard })
        told++
        const isFull = balance > 0
        if (isOut && isFull) {
          if (key === undefined) await channels.enableAutomatically(GATEWAY, id, 'balance')
          else await channels.enableKeyAutomatically(GATEWAY, id, key, 'balance')
        }
        if (isOut || isFull) return
        // Only this key's account is empty.
        if (used !== undefined) await channels.disableKeyAutomatically(GATEWAY, id, used, NOTHING_LEFT)
        // Documented for any auto_ban, since every request would be rejected.
        else await channels.disableAutomatically(GATEWAY, id, NOTHING_LEFT, { regardless: true })
      })
      return told
    },
  }
}

/** A channel, or one of its keys, to query. `isOut`: disabled, and to be enabled if it has a balance. */
interface Account {
  readonly id: number
  readonly key?: string
  readonly isOut: boolean
}

function accountsOf({ id, status, other_info, multi_key }: Channel, { enablePassing }: TestRules): Account[] {
  const own = status === CHANNEL_STATUS.enabled ? [{ id, isOut: false }] : []
  if (!enablePassing || status === CHANNEL_STATUS.disabled) return own
  const empty = (multi_key?.set_aside ?? []).filter(({ reason }) => proofNeeded(reason) === 'balance')
  const keys = empty.map(({ digest }) => ({ id, key: digest, isOut: true }))
  const isOut = status === CHANNEL_STATUS.autoDisabled && keys.length === 0
  const channel = isOut && proofNeeded(objectIn(other_info).status_reason) === 'balance' ? [{ id, isOut }] : []
  // The channel's own account is last, because the last stored balance is the one shown.
  return [...keys, ...channel, ...own]
}
