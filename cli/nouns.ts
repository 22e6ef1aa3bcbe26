import type { Cli } from './cli.ts'
import type { Command } from './command.ts'
import type { TextId } from './texts.ts'

/** First word of a command. The noun's file is loaded on first use. */
interface Noun {
  name: string
  description: TextId
  group: TextId
  load(): Promise<(cli: Cli) => Command>
}

const RUN = 'program.runTitle'
const REACH = 'account.accountTitle'
const MANAGE = 'program.manageTitle'
const INSPECT = 'program.inspectTitle'

export const NOUNS: readonly Noun[] = [
  {
    name: 'serve',
    description: 'run.runTheGateway',
    group: RUN,
    load: async () => (await import('./commands/serve.ts')).serve,
  },
  {
    name: 'init',
    description: 'run.setUp',
    group: RUN,
    load: async () => (await import('./commands/init.ts')).init,
  },
  {
    name: 'demo',
    description: 'run.tryTollgate',
    group: RUN,
    load: async () => (await import('./commands/demo.ts')).demo,
  },
  {
    name: 'chat',
    description: 'chat.chatWithAModel',
    group: RUN,
    load: async () => (await import('./commands/chat.ts')).chat,
  },
  {
    name: 'login',
    description: 'server.signInToAServer',
    group: REACH,
    load: async () => (await import('./commands/login.ts')).login,
  },
  {
    name: 'logout',
    description: 'server.signOutOfAServer',
    group: REACH,
    load: async () => (await import('./commands/logout.ts')).logout,
  },
  {
    name: 'profile',
    description: 'server.profilesOfServers',
    group: REACH,
    load: async () => (await import('./commands/profile.ts')).profile,
  },
  {
    name: 'account',
    description: 'account.yourAccount',
    group: REACH,
    load: async () => (await import('./commands/account.ts')).account,
  },
  {
    name: 'wallet',
    description: 'wallet.yourBalance',
    group: REACH,
    load: async () => (await import('./commands/wallet.ts')).wallet,
  },
  {
    name: 'channel',
    description: 'channel.upstreamAccountsThatServeRequests',
    group: MANAGE,
    load: async () => (await import('./commands/channel.ts')).channel,
  },
  {
    name: 'token',
    description: 'token.apiKeysTokensForPrograms',
    group: MANAGE,
    load: async () => (await import('./commands/token.ts')).token,
  },
  {
    name: 'team',
    description: 'team.teamsWithASharedBalance',
    group: MANAGE,
    load: async () => (await import('./commands/team.ts')).team,
  },
  {
    name: 'api-key',
    description: 'server.keysForTheManagementApi',
    group: MANAGE,
    load: async () => (await import('./commands/api-key.ts')).apiKey,
  },
  {
    name: 'user',
    description: 'user.usersTheirRolesAndBalances',
    group: MANAGE,
    load: async () => (await import('./commands/user.ts')).user,
  },
  {
    name: 'redemption',
    description: 'redemption.redemptionCodesForQuota',
    group: MANAGE,
    load: async () => (await import('./commands/redemption.ts')).redemption,
  },
  {
    name: 'option',
    description: 'option.optionsThatCanChangeWhile',
    group: MANAGE,
    load: async () => (await import('./commands/option.ts')).option,
  },
  {
    name: 'pricing',
    description: 'pricing.modelPrices',
    group: MANAGE,
    load: async () => (await import('./commands/pricing.ts')).pricing,
  },
  {
    name: 'group',
    description: 'pricing.userGroupsAndTheirPriceRatios',
    group: MANAGE,
    load: async () => (await import('./commands/group.ts')).group,
  },
  {
    name: 'limit',
    description: 'limit.limitsOfRequests',
    group: MANAGE,
    load: async () => (await import('./commands/limit.ts')).limit,
  },
  {
    name: 'notify',
    description: 'notify.noticesByWebhook',
    group: MANAGE,
    load: async () => (await import('./commands/notify.ts')).notify,
  },
  {
    name: 'model',
    description: 'pricing.availableModels',
    group: INSPECT,
    load: async () => (await import('./commands/model.ts')).model,
  },
  {
    name: 'status',
    description: 'watching.gatewayOverview',
    group: INSPECT,
    load: async () => (await import('./commands/status.ts')).status,
  },
  {
    name: 'stat',
    description: 'watching.usageByModelOrByTime',
    group: INSPECT,
    load: async () => (await import('./commands/stat.ts')).stat,
  },
  {
    name: 'ui',
    description: 'ui.terminalUiForChannels',
    group: MANAGE,
    load: async () => (await import('./commands/ui.ts')).ui,
  },
  {
    name: 'log',
    description: 'log.requestLogWithUsageAndCosts',
    group: INSPECT,
    load: async () => (await import('./commands/log.ts')).log,
  },
  {
    name: 'task',
    description: 'task.drawingAndMusicTasks',
    group: INSPECT,
    load: async () => (await import('./commands/task.ts')).task,
  },
  {
    name: 'batch',
    description: 'batch.batchesOfRequestsAtUpstreams',
    group: INSPECT,
    load: async () => (await import('./commands/batch.ts')).batch,
  },
  {
    name: 'file',
    description: 'batch.filesAtUpstreams',
    group: INSPECT,
    load: async () => (await import('./commands/file.ts')).file,
  },
  {
    name: 'import',
    description: 'moving.importFromNewApi',
    group: MANAGE,
    load: async () => (await import('./commands/import.ts')).importNoun,
  },
  {
    name: 'export',
    description: 'moving.exportEverythingAsJsonLines',
    group: MANAGE,
    load: async () => (await import('./commands/export.ts')).exportNoun,
  },
  {
    name: 'ledger',
    description: 'watching.ledgerVerificationAndRepair',
    group: INSPECT,
    load: async () => (await import('./commands/ledger.ts')).ledger,
  },
  {
    name: 'audit',
    description: 'audit.auditLogOfAdministratorActions',
    group: INSPECT,
    load: async () => (await import('./commands/audit.ts')).audit,
  },
  {
    name: 'job',
    description: 'watching.backgroundJobsAndTheProcesses',
    group: INSPECT,
    load: async () => (await import('./commands/job.ts')).job,
  },
  {
    name: 'db',
    description: 'db.databaseState',
    group: INSPECT,
    load: async () => (await import('./commands/db.ts')).db,
  },
  {
    name: 'config',
    description: 'doctor.effectiveSettingsAndTheirSources',
    group: INSPECT,
    load: async () => (await import('./commands/config.ts')).config,
  },
  {
    name: 'doctor',
    description: 'doctor.checkThisInstallation',
    group: INSPECT,
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  {
    name: 'upgrade-check',
    description: 'doctor.checkWhetherThisVersionCanReplace',
    group: INSPECT,
    load: async () => (await import('./commands/upgrade-check.ts')).upgradeCheck,
  },
  {
    name: 'completion',
    description: 'program.printACompletionScript',
    group: INSPECT,
    load: async () => (await import('./commands/completion.ts')).completion,
  },
]
