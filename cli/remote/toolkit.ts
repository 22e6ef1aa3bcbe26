import type { JobRecord } from '../../core/jobs/jobs.ts'
import type { Verification } from '../../core/ledger/verify.ts'
import type { CommandToolkit } from '../toolkit.ts'
import { remoteAnonymous } from './anonymous.ts'
import { remoteApiKeys } from './api-keys.ts'
import { remoteAudit } from './audit.ts'
import { remoteBatches } from './batches.ts'
import { remoteChannelChecks } from './channel-checks.ts'
import { remoteChannels } from './channels.ts'
import type { Client } from './client.ts'
import { remoteConfiguration } from './configuration.ts'
import { remoteGateway } from './gateway.ts'
import { listOf, recordOf } from './guards.ts'
import { remoteLimits } from './limits.ts'
import { remoteLogs } from './logs.ts'
import { remoteModels } from './models.ts'
import { remoteNotices } from './notices.ts'
import { remoteOptions } from './options.ts'
import { remoteOwnAccount } from './own-account.ts'
import { remoteRedemption } from './redemption.ts'
import { remoteTasks } from './tasks.ts'
import { remoteTeams } from './teams.ts'
import { remoteTokens } from './tokens.ts'
import { remoteAccounts } from './users.ts'
import { remoteWallet } from './wallet.ts'

/** CommandToolkit for a server: each operation makes one or a few documented REST calls. */
export function remoteToolkit(client: Client): CommandToolkit {
  return {
    ...remoteModels(client),
    audit: remoteAudit(client),
    managementKeys: remoteApiKeys(client),
    accounts: remoteAccounts(client),
    ...remoteOwnAccount(client),
    ...remoteAnonymous(client),
    ...remoteWallet(client),
    options: remoteOptions(client),
    configuration: remoteConfiguration(client),
    channels: remoteChannels(client),
    channelChecks: remoteChannelChecks(client),
    tokens: remoteTokens(client),
    teams: remoteTeams(client),
    limits: remoteLimits(client),
    notices: remoteNotices(client),
    async publicAddress() {
      const { server_address } = await client.read(
        recordOf<{ server_address: string }>('server_address'),
        'GET',
        '/api/status',
      )
      return server_address
    },
    redemption: remoteRedemption(client),
    logs: remoteLogs(client),
    tasks: remoteTasks(client),
    batches: remoteBatches(client),
    jobs: { list: () => client.read(listOf<JobRecord>(), 'GET', '/api/jobs') },
    ledger: { verify: () => client.read(recordOf<Verification>('equal', 'differences'), 'GET', '/api/ledger/verify') },
    chats: { open: async () => ({ server: client.server, headers: {}, close: async () => {} }) },
    gateway: remoteGateway(client),
    async display() {
      const status = await client.read(
        recordOf<{
          quota_per_unit: number
          display_in_currency: boolean
        }>('quota_per_unit', 'display_in_currency'),
        'GET',
        '/api/status',
      )
      return { quotaPerUnit: status.quota_per_unit, inCurrency: status.display_in_currency }
    },
    close: async () => {},
  }
}
