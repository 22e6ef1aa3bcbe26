import type { Config } from '../../core/config.ts'
import type { Language } from '../../core/messages/language.ts'
import { OPTIONS, publicAddress } from '../../core/options/registry.ts'
import type { PriceDetails } from '../../core/pricing/price-details.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'
import { paymentSettings } from '../../core/wallet/settings.ts'
import type { CommandToolkit } from '../toolkit.ts'
import { localBatches } from './batches.ts'
import { localChannelChecks } from './channel-checks.ts'
import { localGateway } from './gateway.ts'
import { localLogs } from './logs.ts'
import { localNotices } from './notices.ts'

/** Returns the CommandToolkit for the local database. Loads code of `server/` only when an operation needs it. */
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
      const { options } = toolkit
      return {
        link: options.get(OPTIONS.TopUpLink),
        price: options.get(OPTIONS.Price),
        minimum: options.get(OPTIONS.MinTopUp),
        online: paymentSettings(options) !== undefined,
      }
    },
    publicAddress: async () => publicAddress(toolkit.options),
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
