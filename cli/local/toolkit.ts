import { ROLE, requireRole } from '../../core/actor.ts'
import type { Config } from '../../core/config.ts'
import type { Language } from '../../core/messages/language.ts'
import { OPTIONS, publicAddress } from '../../core/options/registry.ts'
import type { PriceDetails } from '../../core/pricing/price-details.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'
import { VERSION } from '../../core/version.ts'
import { paymentSettings } from '../../core/wallet/settings.ts'
import type { BatchOperations } from '../../server/relay/batches/operate.ts'
import type { CommandBatches } from '../batches.ts'
import type { ChannelChecks } from '../channel-checks.ts'
import type { GatewayInfo } from '../gateway-info.ts'
import type { CommandNotices } from '../notices.ts'
import type { CommandToolkit } from '../toolkit.ts'
import { localLogs } from './logs.ts'

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

const NO_MEDIA = { bytesMax: 0, allowHosts: [] }
const IDLE_TIMEOUT_MS = 60_000

/** Returns batch operations that call upstreams from this process. No gateway needs to run. */
function localBatches(toolkit: LocalToolkit): CommandBatches {
  async function operate<T>(work: (operations: BatchOperations) => Promise<T>): Promise<T> {
    const [{ pino }, { createBatchOperations }, { createOutboundClients }] = await Promise.all([
      import('pino'),
      import('../../server/relay/batches/operate.ts'),
      import('../../server/relay/transport/outbound-clients.ts'),
    ])
    const { options } = toolkit
    const links = createOutboundClients({ idleTimeoutMs: IDLE_TIMEOUT_MS, media: NO_MEDIA, options })
    try {
      const directory = await toolkit.channelDirectory()
      return await work(createBatchOperations({ toolkit, directory, links, logger: pino({ level: 'silent' }) }))
    } finally {
      await links.close()
    }
  }
  return {
    ...toolkit.batchRecords,
    cancelBatch: (actor, id) => operate((operations) => operations.cancelBatch(actor, id)),
    deleteFile: (actor, id) => operate((operations) => operations.deleteFile(actor, id)),
  }
}

/** Returns checks that call upstreams from this process. No gateway needs to run. */
function localChannelChecks(toolkit: LocalToolkit, language: Language): ChannelChecks {
  return {
    async test(actor, id, { signal, ...options } = {}) {
      const { testChannel } = await import('../../server/relay/channel-test.ts')
      return testChannel(toolkit, actor, id, { ...options, language, ...(signal && { signal }) })
    },
    async updateBalance(actor, id, options) {
      const { updateBalance } = await import('../../server/channels/balance.ts')
      return updateBalance(toolkit, actor, id, options)
    },
    async fetchModels(actor, id) {
      const { modelsOfChannel } = await import('../../server/channels/model-list.ts')
      return modelsOfChannel(toolkit, actor, id)
    },
    async fetchModelsFrom(actor, upstream) {
      // The server's function takes no actor, so it cannot check the role.
      requireRole(actor, ROLE.admin)
      const { modelsAt } = await import('../../server/channels/model-list.ts')
      return modelsAt(upstream)
    },
    async presets() {
      return (await import('../../core/channels/types/catalog.ts')).MODEL_PRESETS
    },
    async builtInModels() {
      return (await import('../../core/channels/types/catalog.ts')).BUILT_IN_MODELS
    },
  }
}

/** Gateway information from the database. */
function localGateway(toolkit: LocalToolkit): GatewayInfo {
  return {
    async status(actor) {
      await toolkit.ping()
      const { id, username, role } = await toolkit.accounts.get(actor, actor.id)
      return {
        kind: 'database',
        address: toolkit.db.name,
        name: toolkit.options.get(OPTIONS.SystemName),
        version: VERSION,
        start_time: 0,
        database: 'answers',
        user: { id, username, role },
      }
    },
    async content(name) {
      const { get } = toolkit.options
      return { notice: get(OPTIONS.Notice), about: get(OPTIONS.About), home: get(OPTIONS.HomePageContent) }[name]
    },
  }
}

function localNotices({ notices, mail }: LocalToolkit, { media }: Pick<Config, 'media'>): CommandNotices {
  const { targets, deliveries, thresholds, display } = notices
  return {
    list: targets.list,
    create: targets.create,
    update: targets.update,
    delete: targets.delete,
    deliveries: deliveries.list,
    retry: deliveries.retry,
    thresholds: thresholds.list,
    setThreshold: thresholds.set,
    async test(actor, id) {
      const [{ createDeliverNotice }, { testNotice }] = await Promise.all([
        import('../../server/notices/deliver.ts'),
        import('../../server/notices/test-notice.ts'),
      ])
      const deliver = createDeliverNotice({ mail, display, allowHosts: media.allowHosts })
      return testNotice(notices, deliver, actor, id)
    },
  }
}
