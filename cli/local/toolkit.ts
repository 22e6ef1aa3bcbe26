import type { LocalToolkit } from '../../core/toolkit.ts'
import type { CommandToolkit } from '../toolkit.ts'
import { localGateway } from './gateway.ts'

/** The database on this machine, as commands see it. What speaks to upstreams lives in `server/` and is loaded when it is asked for. */
export function localToolkit(toolkit: LocalToolkit): CommandToolkit {
  return {
    ...toolkit,
    channelChecks: {
      async test(actor, id, options) {
        const { testChannel } = await import('../../server/relay/channel-test.ts')
        return testChannel(toolkit, actor, id, options)
      },
    },
    gateway: localGateway(toolkit),
    async display() {
      const { OPTIONS } = await import('../../core/options/registry.ts')
      return {
        quotaPerUnit: toolkit.options.get(OPTIONS.QuotaPerUnit),
        inCurrency: toolkit.options.get(OPTIONS.DisplayInCurrencyEnabled),
      }
    },
  }
}
