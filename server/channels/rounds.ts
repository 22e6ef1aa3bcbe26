import type { Actor } from '../../core/actor.ts'
import { CHANNEL_STATUS, type Channel } from '../../core/channels/channel.ts'
import { type TestRules, testVerdict } from '../../core/channels/verdict.ts'
import { GatewayError } from '../../core/errors.ts'
import { OPTIONS } from '../../core/options/registry.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'
import { sendTest } from '../relay/channel-test.ts'
import { updateBalance } from './balance.ts'
import type { UnderWay } from './under-way.ts'

const BALANCE_LANES = 8
const NOTHING_LEFT = '余额不足'

/** What is done with all channels, one round at a time. */
export interface ChannelRounds {
  /** Starts to test every channel, one after the other, in the background. Throws CHANNEL_TEST_RUNNING. */
  startTests(actor: Actor): void
  /** Asks for the balance of every enabled channel; those that cannot tell are passed over. */
  updateBalances(actor: Actor): Promise<void>
}

export function createChannelRounds({
  toolkit,
  underWay: { signal, track },
  onFailure,
}: {
  toolkit: LocalToolkit
  underWay: UnderWay
  onFailure: (error: unknown) => void
}): ChannelRounds {
  const { channels, options } = toolkit
  let testing = false

  /** One channel's trouble must not keep the others from their turn. */
  async function each(
    todo: readonly Channel[],
    lanes: number,
    act: (channel: Channel) => Promise<void>,
  ): Promise<void> {
    const waiting = todo.values()
    async function lane(): Promise<void> {
      for (const channel of waiting) {
        if (signal.aborted) return
        await act(channel).catch((error: unknown) => {
          if (!(error instanceof GatewayError)) onFailure(error)
        })
      }
    }
    await Promise.all(Array.from({ length: lanes }, lane))
  }

  async function test(actor: Actor, { id, type }: Channel): Promise<void> {
    const { failure, seconds } = await sendTest(toolkit, actor, id, { signal })
    const verdict = testVerdict({ failure, seconds, type }, rules())
    if (verdict === 'enable') await channels.enableAutomatically(actor, id)
    else if (verdict) await channels.disableAutomatically(actor, id, verdict.disable)
  }

  const rules = (): TestRules => ({
    slowSeconds: options.get(OPTIONS.ChannelDisableThreshold),
    disableFailing: options.get(OPTIONS.AutomaticDisableChannelEnabled),
    enablePassing: options.get(OPTIONS.AutomaticEnableChannelEnabled),
    keywords: options.get(OPTIONS.AutomaticDisableKeywords),
  })

  return {
    startTests(actor) {
      if (testing) throw new GatewayError('CHANNEL_TEST_RUNNING')
      testing = true
      const round = async () => each(await channels.search(actor, {}), 1, (channel) => test(actor, channel))
      track(
        round()
          .catch(onFailure)
          .finally(() => {
            testing = false
          }),
      )
    },

    updateBalances(actor) {
      const round = async () => {
        const enabled = (await channels.search(actor, {})).filter(({ status }) => status === CHANNEL_STATUS.enabled)
        await each(enabled, BALANCE_LANES, async ({ id }) => {
          const balance = await updateBalance(toolkit, actor, id)
          if (balance <= 0) await channels.disableAutomatically(actor, id, NOTHING_LEFT)
        })
      }
      return track(round())
    },
  }
}
