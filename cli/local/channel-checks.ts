import { ROLE, requireRole } from '../../core/actor.ts'
import type { Language } from '../../core/messages/language.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'
import type { ChannelChecks } from '../channel-checks.ts'

/** Returns checks that call upstreams from this process. No gateway needs to run. */
export function localChannelChecks(toolkit: LocalToolkit, language: Language): ChannelChecks {
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
