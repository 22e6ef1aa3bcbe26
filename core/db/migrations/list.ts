import type { Knex } from 'knex'
import { up as initial } from './0001-initial.ts'
import { up as managementApi } from './0002-management-api.ts'
import { up as healthAndTasks } from './0003-health-and-tasks.ts'
import { up as redemptionBatches } from './0004-redemption-batches.ts'
import { up as balanceRequests } from './0005-balance-requests.ts'
import { up as ledgerFaults } from './0006-ledger-faults.ts'
import { up as ledgerChain } from './0007-ledger-chain.ts'
import { up as logIndexes } from './0008-log-indexes.ts'
import { up as relayOutcomes } from './0009-relay-outcomes.ts'
import { up as debtLimits } from './0010-debt-limits.ts'
import { up as logClears } from './0012-log-clears.ts'
import { up as storedObjects } from './0013-stored-objects.ts'
import { up as credentials } from './0014-credentials.ts'
import { up as audit } from './0015-audit.ts'
import { up as inviteSources } from './0016-invite-sources.ts'
import { up as wideIds } from './0017-wide-ids.ts'
import { up as failedRelays } from './0018-failed-relays.ts'
import { up as requestCounts } from './0020-request-counts.ts'
import { up as storedResponses } from './0030-stored-responses.ts'
import { up as keptThoughts } from './0031-kept-thoughts.ts'
import { up as managementKeys } from './0035-management-keys.ts'
import { up as imports } from './0040-imports.ts'
import { up as limits } from './0050-limits.ts'
import { up as usageHours } from './0060-usage-hours.ts'
import { up as realtimeKeys } from './0066-realtime-keys.ts'
import { up as teams } from './0070-teams.ts'
import { up as notices } from './0075-notices.ts'
import { up as noticeThresholds } from './0076-notice-thresholds.ts'
import { up as signInOrigins } from './0077-sign-in-origins.ts'
import { up as removedTasks } from './0080-removed-tasks.ts'
import { up as batches } from './0085-batches.ts'
import { up as batchMembers } from './0086-batch-members.ts'
import { up as userLanguage } from './0090-user-language.ts'
import { up as importColumns } from './0095-import-columns.ts'
import { up as importReads } from './0100-import-reads.ts'
import { up as batchSubmissions } from './0105-batch-submissions.ts'
import { up as logPartitions } from './0110-log-partitions.ts'
import { up as uncountedImports } from './0115-uncounted-imports.ts'
import { up as settleFunction } from './0120-settle-function.ts'
import { up as reserveFunctions } from './0125-reserve-functions.ts'

export interface MigrationContext {
  /** Signs a text with a key of the installation. */
  sign: (text: string) => string
}

/** All migrations in order. Append only: a migration that has shipped is never edited, renamed or removed. */
export const MIGRATIONS: readonly {
  name: string
  up: (trx: Knex.Transaction, context: MigrationContext) => Promise<void>
}[] = [
  { name: '0001-initial', up: initial },
  { name: '0002-management-api', up: managementApi },
  { name: '0003-health-and-tasks', up: healthAndTasks },
  { name: '0004-redemption-batches', up: redemptionBatches },
  { name: '0005-balance-requests', up: balanceRequests },
  { name: '0006-ledger-faults', up: ledgerFaults },
  { name: '0007-ledger-chain', up: ledgerChain },
  { name: '0008-log-indexes', up: logIndexes },
  { name: '0009-relay-outcomes', up: relayOutcomes },
  { name: '0010-debt-limits', up: debtLimits },
  { name: '0012-log-clears', up: logClears },
  { name: '0013-stored-objects', up: storedObjects },
  { name: '0014-credentials', up: credentials },
  { name: '0015-audit', up: audit },
  { name: '0016-invite-sources', up: inviteSources },
  { name: '0017-wide-ids', up: wideIds },
  { name: '0018-failed-relays', up: failedRelays },
  { name: '0020-request-counts', up: requestCounts },
  { name: '0035-management-keys', up: managementKeys },
  { name: '0030-stored-responses', up: storedResponses },
  { name: '0031-kept-thoughts', up: keptThoughts },
  { name: '0040-imports', up: imports },
  { name: '0050-limits', up: limits },
  { name: '0060-usage-hours', up: usageHours },
  { name: '0066-realtime-keys', up: realtimeKeys },
  { name: '0070-teams', up: teams },
  { name: '0075-notices', up: notices },
  { name: '0076-notice-thresholds', up: noticeThresholds },
  { name: '0077-sign-in-origins', up: signInOrigins },
  { name: '0080-removed-tasks', up: removedTasks },
  { name: '0085-batches', up: batches },
  { name: '0086-batch-members', up: batchMembers },
  { name: '0090-user-language', up: userLanguage },
  { name: '0095-import-columns', up: importColumns },
  { name: '0100-import-reads', up: importReads },
  { name: '0105-batch-submissions', up: batchSubmissions },
  { name: '0110-log-partitions', up: logPartitions },
  { name: '0115-uncounted-imports', up: uncountedImports },
  { name: '0120-settle-function', up: settleFunction },
  { name: '0125-reserve-functions', up: reserveFunctions },
]
