import type { CommandToolkit } from '../toolkit.ts'
import { remoteAnonymous } from './anonymous.ts'
import { remoteApiKeys } from './api-keys.ts'
import { remoteBatches } from './batches.ts'
import { remoteChannelChecks } from './channel-checks.ts'
import { remoteChannels } from './channels.ts'
import type { Client } from './client.ts'
import { remoteGateway } from './gateway.ts'
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

/** Returns the CommandToolkit for a server. Each operation makes one or a few documented REST calls. */
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
      const { server_address } = await client.read('GET /api/status')
      return server_address
    },
    redemption: remoteRedemption(client),
    logs: remoteLogs(client),
    tasks: remoteTasks(client),
    batches: remoteBatches(client),
    jobs: { list: () => client.read('GET /api/jobs') },
    ledger: {
      verify: () => client.read('GET /api/ledger/verify'),
    },
    chats: { open: async () => ({ server: client.server, headers: {}, close: async () => {} }) },
    gateway: remoteGateway(client),
    async display() {
      const status = await client.read('GET /api/status')
      return { quotaPerUnit: status.quota_per_unit, inCurrency: status.display_in_currency }
    },
    close: async () => {},
  }
}

function remoteAudit(client: Client): CommandToolkit['audit'] {
  return {
    async list(_actor, { actor, action, object, from, to, beforeId, afterId, pageSize } = {}) {
      const query = {
        ...{ actor, action, object, start_timestamp: from, end_timestamp: to },
        ...{ before_id: beforeId, after_id: afterId, page_size: pageSize },
      }
      return await client.read('GET /api/audit', { query })
    },
  }
}

function remoteConfiguration(client: Client): CommandToolkit['configuration'] {
  return {
    export: () => client.read('GET /api/configuration'),
    plan: (_actor, body) => client.read('POST /api/configuration/plan', { body }),
    apply: (_actor, body) => client.read('POST /api/configuration/apply', { body }),
  }
}

function remoteLimits(client: Client): CommandToolkit['limits'] {
  return {
    list: (_actor, query = {}) => client.read('GET /api/limit/', { query }),
    set: (_actor, limits) => client.read('PUT /api/limit/', { body: { limits } }),
    remove: (_actor, id) => client.read('DELETE /api/limit/:id', { path: { id } }),
    status: (_actor, query = {}) => client.read('GET /api/limit/status', { query }),
    learned: () => client.read('GET /api/limit/learned'),
  }
}
