import type { Config } from '../../core/config.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'
import type { CommandToolkit } from '../toolkit.ts'
import { localChannelChecks } from './channel-checks.ts'
import { localGateway } from './gateway.ts'

/** The database on this machine, as commands see it. What speaks to upstreams lives in `server/` and is loaded when it is asked for. */
export function localToolkit(
  toolkit: LocalToolkit,
  { generateDefaultToken }: Pick<Config, 'generateDefaultToken'>,
): CommandToolkit {
  return {
    ...toolkit,
    registration: {
      ...toolkit.registration,
      register: (applicant) => toolkit.registration.register(applicant, { firstToken: generateDefaultToken }),
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
    channelChecks: localChannelChecks(toolkit),
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
