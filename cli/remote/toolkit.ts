import type { CommandToolkit } from '../toolkit.ts'
import type { Client } from './client.ts'
import { remoteOptions } from './options.ts'
import { remoteOwnAccount } from './own-account.ts'
import { remoteTokens } from './tokens.ts'
import { remoteAccounts } from './users.ts'
import { remoteVisitor } from './visitor.ts'
import { remoteWallet } from './wallet.ts'

/** A gateway far away, as commands see it: each operation is one call of the documented REST API, or a few. */
export function remoteToolkit(client: Client): CommandToolkit {
  const parts: Partial<CommandToolkit> = {
    accounts: remoteAccounts(client),
    ...remoteOwnAccount(client),
    ...remoteVisitor(client),
    ...remoteWallet(client),
    options: remoteOptions(client),
    tokens: remoteTokens(client),
    async display() {
      const status = (await client.call('GET', '/api/status')) as {
        quota_per_unit: number
        display_in_currency: boolean
      }
      return { quotaPerUnit: status.quota_per_unit, inCurrency: status.display_in_currency }
    },
    close: async () => {},
  }
  return parts as CommandToolkit
}
