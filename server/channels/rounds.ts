import { setTimeout as sleep } from 'node:timers/promises'
import { GATEWAY } from '../../core/actor.ts'
import { CHANNEL_STATUS, type Channel } from '../../core/channels/channel.ts'
import { NO_BALANCE_REASON, objectIn, proofNeeded } from '../../core/channels/settings/other-info.ts'
import { decideTest, type TestDecision, type TestRules } from '../../core/channels/status/test-decision.ts'
import { type ErrorCode, GatewayError } from '../../core/errors.ts'
import type { TestRound } from '../../core/mail/letters.ts'
import { OPTIONS } from '../../core/options/registry.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'
import { sendTest } from '../relay/channel-test.ts'
import { updateBalance } from './balance.ts'
import type { ProbeGuard } from './guard.ts'

const BALANCE_LANES = 8
/** Codes of errors that occur before a request is sent to the upstream. After such an error, no pause is needed. */
const CODES_BEFORE_REQUEST: ReadonlySet<ErrorCode> = new Set([
  'CHANNEL_NOT_FOUND',
  'CHANNEL_MISCONFIGURED',
  'CHANNEL_TEST_UNSUPPORTED',
  'BALANCE_UNSUPPORTED',
])

interface RoundOptions {
  /** Guard of the administrator who started the round, or undefined if all addresses are allowed. */
  guard?: ProbeGuard | undefined
}

/** Operations on all channels. If one channel fails, the round continues. Only `signal` stops a round. */
export interface ChannelRounds {
  /** Tests all channels, including disabled ones, one after the other. Enables or disables channels by the results. */
  test(signal: AbortSignal, options?: RoundOptions): Promise<TestRound>
  /**
   * Queries the balance of every enabled channel, and of channels that an empty balance disabled. Skips channels that
   * cannot report a balance. Returns the number of reported balances.
   */
  updateBalances(signal: AbortSignal, options?: RoundOptions): Promise<number>
}

export function createChannelRounds({
  toolkit,
  pauseMs,
  onFailure,
}: {
  toolkit: LocalToolkit
  pauseMs: number
  onFailure: (error: unknown) => void
}): ChannelRounds {
  const { channels, options } = toolkit

  async function pause(signal: AbortSignal): Promise<void> {
    // `sleep` rejects if the round is aborted.
    if (pauseMs > 0) await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => {})
  }

  async function forEachItem<Item>(
    items: readonly Item[],
    { lanes, signal }: { lanes: number; signal: AbortSignal },
    act: (item: Item) => Promise<void>,
  ): Promise<void> {
    const remainingItems = items.values()
    async function lane(): Promise<void> {
      let needsPause = false
      for (const item of remainingItems) {
        if (needsPause) await pause(signal)
        if (signal.aborted) return
        try {
          await act(item)
          needsPause = true
        } catch (error) {
          if (!(error instanceof GatewayError)) onFailure(error)
          needsPause = !(error instanceof GatewayError && CODES_BEFORE_REQUEST.has(error.code))
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

  /** Enables or disables the channel or its key by the result of a test of `key`. Returns whether anything changed. */
  async function applyDecision(
    decision: TestDecision,
    { id, key, disabledKeys }: { id: number; key: string | undefined; disabledKeys: readonly string[] },
  ): Promise<boolean> {
    if (decision === undefined) return false
    if (decision === 'enable') {
      const isKeyDisabled = key !== undefined && disabledKeys.includes(key)
      if (isKeyDisabled) return Boolean(await channels.enableKeyAutomatically(GATEWAY, id, key))
      return channels.enableAutomatically(GATEWAY, id)
    }
    const { disable, slow } = decision
    if (key === undefined || slow) return channels.disableAutomatically(GATEWAY, id, disable)
    return Boolean(await channels.disableKeyAutomatically(GATEWAY, id, key, disable))
  }

  /** Tests a disabled key again, and enables the key if the test passes. Returns whether the key was enabled. */
  async function retest(
    { id, type }: Channel,
    { digest, signal, guard }: RoundOptions & { digest: string; signal: AbortSignal },
  ): Promise<boolean> {
    if (!rules().enablePassing || signal.aborted) return false
    await pause(signal)
    const { failure, seconds } = await sendTest(toolkit, GATEWAY, id, { key: digest, signal, guard })
    if (decideTest({ failure, seconds, type }, rules()) !== 'enable') return false
    return Boolean(await channels.enableKeyAutomatically(GATEWAY, id, digest))
  }

  return {
    async test(signal, { guard } = {}) {
      const round = { tested: 0, failed: 0, disabled: 0, enabled: 0 }
      await forEachItem(await channels.search(GATEWAY, {}), { lanes: 1, signal }, async (channel) => {
        const { id, type, status, multi_key } = channel
        const { failure, seconds, key } = await sendTest(toolkit, GATEWAY, id, { signal, guard })
        round.tested++
        if (failure) round.failed++
        const decision = decideTest({ failure, seconds, type }, rules())
        const disabledKeys = multi_key?.set_aside.map(({ digest }) => digest) ?? []
        if (await applyDecision(decision, { id, key, disabledKeys }))
          round[decision === 'enable' ? 'enabled' : 'disabled']++
        if (status === CHANNEL_STATUS.disabled) return
        for (const { digest, reason } of multi_key?.set_aside ?? []) {
          if (digest === key || proofNeeded(reason) !== 'test') continue
          if (await retest(channel, { digest, signal, guard })) round.enabled++
        }
      })
      return round
    },

    async updateBalances(signal, { guard } = {}) {
      const accounts = (await channels.search(GATEWAY, {})).flatMap((channel) => accountsOf(channel, rules()))
      let reportedBalances = 0
      const directory = await toolkit.channelDirectory()
      await forEachItem(accounts, { lanes: pauseMs > 0 ? 1 : BALANCE_LANES, signal }, async ({ id, key, isEmpty }) => {
        const usedKey = key ?? directory.find(id)?.ring?.usable[0]?.keyName.digest
        const balance = await updateBalance(toolkit, GATEWAY, id, { key, guard, signal })
        reportedBalances++
        const hasBalance = balance > 0
        if (isEmpty && hasBalance) {
          if (key === undefined) await channels.enableAutomatically(GATEWAY, id, 'balance')
          else await channels.enableKeyAutomatically(GATEWAY, id, key, 'balance')
        }
        if (isEmpty || hasBalance) return
        // Only the account of this key is empty, so the other keys stay enabled.
        if (usedKey !== undefined) await channels.disableKeyAutomatically(GATEWAY, id, usedKey, NO_BALANCE_REASON)
        // As documented, ignore the channel's `auto_ban`, because the upstream would reject every request.
        else await channels.disableAutomatically(GATEWAY, id, NO_BALANCE_REASON, { regardless: true })
      })
      return reportedBalances
    },
  }
}

/**
 * The account of a channel, or of one of its keys (`key` is the digest). If `isEmpty`, an empty balance has disabled
 * the channel or the key, and a positive balance enables it again.
 */
interface Account {
  readonly id: number
  readonly key?: string
  readonly isEmpty: boolean
}

function accountsOf({ id, status, other_info, multi_key }: Channel, { enablePassing }: TestRules): Account[] {
  const channelAccounts = status === CHANNEL_STATUS.enabled ? [{ id, isEmpty: false }] : []
  if (!enablePassing || status === CHANNEL_STATUS.disabled) return channelAccounts
  const empty = (multi_key?.set_aside ?? []).filter(({ reason }) => proofNeeded(reason) === 'balance')
  const keys = empty.map(({ digest }) => ({ id, key: digest, isEmpty: true }))
  const isEmpty = status === CHANNEL_STATUS.autoDisabled && keys.length === 0
  const channel = isEmpty && proofNeeded(objectIn(other_info).status_reason) === 'balance' ? [{ id, isEmpty }] : []
  // Query the channel's own account last, because the channel shows the balance that was stored last.
  return [...keys, ...channel, ...channelAccounts]
}
