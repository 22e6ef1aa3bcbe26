import type { Config } from '../../core/config.ts'
import type { Language } from '../../core/messages/language.ts'
import type { PriceDetails } from '../../core/pricing/price-details.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'
import type { CommandToolkit } from '../toolkit.ts'
import { localBatches } from './batches.ts'
import { localChannelChecks } from './channel-checks.ts'
import { localGateway } from './gateway.ts'
import { localLogs } from './logs.ts'
import { localNotices } from './notices.ts'

/** Returns the CommandToolkit for the local database. Code in `server/`, which calls upstreams, is loaded on demand. */
export function localToolkit(toolkit: LocalToolkit, config: Config, language: Language): CommandToolkit {
  return {
    ...toolkit,
    ...localLogs(toolkit, language),
    registration: {
      ...toolkit.registration,
      register: (applicant, { language }) =>
        toolkit.registration.register(applicant, { firstToken: config.generateDefaultToken, language }),
    },
    prices: {
      list: async (actor) => (await pricesOf(toolkit)).list(actor),
      get: async (actor, model) => (await pricesOf(toolkit)).get(actor, model),
    },
    models: {
      async usable(actor) {
        const { usableModels } = await import('../../core/channels/routing/usable-models.ts')
        return usableModels({ ...toolkit, directory: await toolkit.channelDirectory() }, actor)
      },
      async presets() {
        return (await import('../../core/channels/types/catalog.ts')).MODEL_PRESETS
      },
    },
    async topUpTerms() {
      const [{ OPTIONS }, { paymentSettings }] = await Promise.all([
        import('../../core/options/registry.ts'),
        import('../../core/wallet/settings.ts'),
      ])
      const { options } = toolkit
      return {
        link: options.get(OPTIONS.TopUpLink),
        price: options.get(OPTIONS.Price),
        minimum: options.get(OPTIONS.MinTopUp),
        online: paymentSettings(options) !== undefined,
      }
    },
    async publicAddress() {
      const { publicAddress } = await import('../../core/options/registry.ts')
      return publicAddress(toolkit.options)
    },
    channelChecks: localChannelChecks(toolkit, language),
    batches: localBatches(toolkit),
    notices: localNotices(toolkit, config),
    gateway: localGateway(toolkit),
    chats: {
      async open(actor) {
        const { openLocalChatConnection } = await import('./chats.ts')
        return openLocalChatConnection(toolkit, config, actor)
      },
    },
    async display() {
      const { OPTIONS } = await import('../../core/options/registry.ts')
      return {
        quotaPerUnit: toolkit.options.get(OPTIONS.QuotaPerUnit),
        inCurrency: toolkit.options.get(OPTIONS.DisplayInCurrencyEnabled),
      }
    },
  }
}

/** Creates the price details. Called on demand, because the channel directory reads every channel. */
async function pricesOf({ pricing, channelDirectory }: LocalToolkit): Promise<PriceDetails> {
  const { createPriceDetails } = await import('../../core/pricing/price-details.ts')
  return createPriceDetails({ pricing, directory: await channelDirectory() })
}
