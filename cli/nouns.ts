import type { Cli } from './cli.ts'
import type { Command } from './command.ts'
import type { TextId } from './texts.ts'

const RUN = 'program.runTitle'
const REACH = 'account.accountTitle'
const MANAGE = 'program.manageTitle'
const INSPECT = 'program.inspectTitle'

/** The first word of a command. Its file is loaded on first use. */
type Row = readonly [name: string, group: TextId, description: TextId, load: () => Promise<(cli: Cli) => Command>]

const ROWS: readonly Row[] = [
  ['serve', RUN, 'run.runTheGateway', async () => (await import('./commands/serve.ts')).serve],
  ['init', RUN, 'run.setUp', async () => (await import('./commands/init.ts')).init],
  ['demo', RUN, 'run.tryTollgate', async () => (await import('./commands/demo.ts')).demo],
  ['chat', RUN, 'chat.chatWithAModel', async () => (await import('./commands/chat.ts')).chat],
  ['login', REACH, 'server.signInToAServer', async () => (await import('./commands/login.ts')).login],
  ['logout', REACH, 'server.signOutOfAServer', async () => (await import('./commands/logout.ts')).logout],
  ['profile', REACH, 'server.profilesOfServers', async () => (await import('./commands/profile.ts')).profile],
  ['account', REACH, 'account.yourAccount', async () => (await import('./commands/account.ts')).account],
  ['wallet', REACH, 'wallet.yourBalance', async () => (await import('./commands/wallet.ts')).wallet],
  [
    'channel',
    MANAGE,
    'channel.upstreamAccountsThatServeRequests',
    async () => (await import('./commands/channel.ts')).channel,
  ],
  ['token', MANAGE, 'token.apiKeysTokensForPrograms', async () => (await import('./commands/token.ts')).token],
  ['team', MANAGE, 'team.teamsWithASharedBalance', async () => (await import('./commands/team.ts')).team],
  ['api-key', MANAGE, 'server.keysForTheManagementApi', async () => (await import('./commands/api-key.ts')).apiKey],
  ['user', MANAGE, 'user.usersTheirRolesAndBalances', async () => (await import('./commands/user.ts')).user],
  [
    'redemption',
    MANAGE,
    'redemption.redemptionCodesForQuota',
    async () => (await import('./commands/redemption.ts')).redemption,
  ],
  ['option', MANAGE, 'option.optionsThatCanChangeWhile', async () => (await import('./commands/option.ts')).option],
  ['pricing', MANAGE, 'pricing.modelPrices', async () => (await import('./commands/pricing.ts')).pricing],
  ['group', MANAGE, 'pricing.userGroupsAndTheirPriceRatios', async () => (await import('./commands/group.ts')).group],
  ['limit', MANAGE, 'limit.limitsOfRequests', async () => (await import('./commands/limit.ts')).limit],
  ['notify', MANAGE, 'notify.noticesByWebhook', async () => (await import('./commands/notify.ts')).notify],
  ['model', INSPECT, 'pricing.availableModels', async () => (await import('./commands/model.ts')).model],
  ['status', INSPECT, 'watching.gatewayOverview', async () => (await import('./commands/status.ts')).status],
  ['stat', INSPECT, 'watching.usageByModelOrByTime', async () => (await import('./commands/stat.ts')).stat],
  ['ui', MANAGE, 'ui.terminalUiForChannels', async () => (await import('./commands/ui.ts')).ui],
  ['log', INSPECT, 'log.requestLogWithUsageAndCosts', async () => (await import('./commands/log.ts')).log],
  ['task', INSPECT, 'task.drawingAndMusicTasks', async () => (await import('./commands/task.ts')).task],
  ['batch', INSPECT, 'batch.batchesOfRequestsAtUpstreams', async () => (await import('./commands/batch.ts')).batch],
  ['file', INSPECT, 'batch.filesAtUpstreams', async () => (await import('./commands/file.ts')).file],
  ['import', MANAGE, 'moving.importFromNewApi', async () => (await import('./commands/import.ts')).importNoun],
  [
    'export',
    MANAGE,
    'moving.exportEverythingAsJsonLines',
    async () => (await import('./commands/export.ts')).exportNoun,
  ],
  [
    'ledger',
    INSPECT,
    'watching.ledgerVerificationAndRepair',
    async () => (await import('./commands/ledger.ts')).ledger,
  ],
  ['audit', INSPECT, 'audit.auditLogOfAdministratorActions', async () => (await import('./commands/audit.ts')).audit],
  ['job', INSPECT, 'watching.backgroundJobsAndTheProcesses', async () => (await import('./commands/job.ts')).job],
  ['db', INSPECT, 'db.databaseState', async () => (await import('./commands/db.ts')).db],
  [
    'config',
    INSPECT,
    'doctor.effectiveSettingsAndTheirSources',
    async () => (await import('./commands/config.ts')).config,
  ],
  ['doctor', INSPECT, 'doctor.checkThisInstallation', async () => (await import('./commands/doctor.ts')).doctor],
  [
    'upgrade-check',
    INSPECT,
    'doctor.checkWhetherThisVersionCanReplace',
    async () => (await import('./commands/upgrade-check.ts')).upgradeCheck,
  ],
  [
    'completion',
    INSPECT,
    'program.printACompletionScript',
    async () => (await import('./commands/completion.ts')).completion,
  ],
]

export const NOUNS = ROWS.map(([name, group, description, load]) => ({ name, group, description, load }))
