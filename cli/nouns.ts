import type { Command } from 'commander'
import type { Cli } from './cli.ts'

/** First word of a command; its file is loaded on first use. */
export interface Noun {
  name: string
  description: string
  group: string
  load(): Promise<(cli: Cli) => Command>
}

const RUN = 'Run:'
const REACH = 'Account:'
const MANAGE = 'Manage:'
const INSPECT = 'Inspect:'

export const NOUNS: readonly Noun[] = [
  {
    name: 'serve',
    description: 'Run the gateway: API and web console',
    group: RUN,
    load: async () => (await import('./commands/serve.ts')).serve,
  },
  {
    name: 'init',
    description: 'Set up: password, first channel, first API key',
    group: RUN,
    load: async () => (await import('./commands/init.ts')).init,
  },
  {
    name: 'demo',
    description: 'Try Tollgate: a temporary gateway with a simulated provider',
    group: RUN,
    load: async () => (await import('./commands/demo.ts')).demo,
  },
  {
    name: 'chat',
    description: 'Chat with a model, interactively or in a pipe',
    group: RUN,
    load: async () => (await import('./commands/chat.ts')).chat,
  },
  {
    name: 'login',
    description: 'Sign in to a server, and use it for later commands',
    group: REACH,
    load: async () => (await import('./commands/login.ts')).login,
  },
  {
    name: 'logout',
    description: 'Sign out of a server: remove its profile and access token',
    group: REACH,
    load: async () => (await import('./commands/logout.ts')).logout,
  },
  {
    name: 'profile',
    description: 'Profiles of servers that you are signed in to',
    group: REACH,
    load: async () => (await import('./commands/profile.ts')).profile,
  },
  {
    name: 'account',
    description: 'Your account',
    group: REACH,
    load: async () => (await import('./commands/account.ts')).account,
  },
  {
    name: 'wallet',
    description: 'Your balance, codes, top-ups and orders',
    group: REACH,
    load: async () => (await import('./commands/wallet.ts')).wallet,
  },
  {
    name: 'channel',
    description: 'Upstream accounts that serve requests',
    group: MANAGE,
    load: async () => (await import('./commands/channel.ts')).channel,
  },
  {
    name: 'token',
    description: 'API keys (tokens) for programs that call the gateway',
    group: MANAGE,
    load: async () => (await import('./commands/token.ts')).token,
  },
  {
    name: 'team',
    description: 'Teams with a shared balance, members and keys',
    group: MANAGE,
    load: async () => (await import('./commands/team.ts')).team,
  },
  {
    name: 'api-key',
    description: 'Keys for the management API, with limited scopes',
    group: MANAGE,
    load: async () => (await import('./commands/api-key.ts')).apiKey,
  },
  {
    name: 'user',
    description: 'Users, their roles and balances',
    group: MANAGE,
    load: async () => (await import('./commands/user.ts')).user,
  },
  {
    name: 'redemption',
    description: 'Redemption codes for quota',
    group: MANAGE,
    load: async () => (await import('./commands/redemption.ts')).redemption,
  },
  {
    name: 'option',
    description: 'Options that can change while the gateway runs',
    group: MANAGE,
    load: async () => (await import('./commands/option.ts')).option,
  },
  {
    name: 'pricing',
    description: 'Model prices',
    group: MANAGE,
    load: async () => (await import('./commands/pricing.ts')).pricing,
  },
  {
    name: 'group',
    description: 'User groups and their price ratios',
    group: MANAGE,
    load: async () => (await import('./commands/group.ts')).group,
  },
  {
    name: 'limit',
    description: 'Limits of requests, tokens, money and concurrency',
    group: MANAGE,
    load: async () => (await import('./commands/limit.ts')).limit,
  },
  {
    name: 'notify',
    description: 'Notices by webhook, email and chat, and their deliveries',
    group: MANAGE,
    load: async () => (await import('./commands/notify.ts')).notify,
  },
  {
    name: 'model',
    description: 'Available models',
    group: INSPECT,
    load: async () => (await import('./commands/model.ts')).model,
  },
  {
    name: 'status',
    description: 'Gateway overview: version, database, current user',
    group: INSPECT,
    load: async () => (await import('./commands/status.ts')).status,
  },
  {
    name: 'stat',
    description: 'Usage by model or by time',
    group: INSPECT,
    load: async () => (await import('./commands/stat.ts')).stat,
  },
  {
    name: 'ui',
    description: 'Terminal UI for channels, tokens, users, codes, logs and options',
    group: MANAGE,
    load: async () => (await import('./commands/ui.ts')).ui,
  },
  {
    name: 'log',
    description: 'Request log with usage and costs',
    group: INSPECT,
    load: async () => (await import('./commands/log.ts')).log,
  },
  {
    name: 'task',
    description: 'Drawing and music tasks, and their results',
    group: INSPECT,
    load: async () => (await import('./commands/task.ts')).task,
  },
  {
    name: 'batch',
    description: 'Batches of requests at upstreams',
    group: INSPECT,
    load: async () => (await import('./commands/batch.ts')).batch,
  },
  {
    name: 'file',
    description: 'Files at upstreams',
    group: INSPECT,
    load: async () => (await import('./commands/file.ts')).file,
  },
  {
    name: 'import',
    description: 'Import from new-api, one-api or LiteLLM; list and undo imports',
    group: MANAGE,
    load: async () => (await import('./commands/import.ts')).importNoun,
  },
  {
    name: 'export',
    description: 'Export everything as JSON Lines, or as a new-api database',
    group: MANAGE,
    load: async () => (await import('./commands/export.ts')).exportNoun,
  },
  {
    name: 'ledger',
    description: 'Ledger verification and repair',
    group: INSPECT,
    load: async () => (await import('./commands/ledger.ts')).ledger,
  },
  {
    name: 'audit',
    description: 'Audit log of administrator actions',
    group: INSPECT,
    load: async () => (await import('./commands/audit.ts')).audit,
  },
  {
    name: 'job',
    description: 'Background jobs and the processes that run them',
    group: INSPECT,
    load: async () => (await import('./commands/job.ts')).job,
  },
  {
    name: 'db',
    description: 'Database state, migrations, backups and integrity',
    group: INSPECT,
    load: async () => (await import('./commands/db.ts')).db,
  },
  {
    name: 'config',
    description: 'Effective settings and their sources',
    group: INSPECT,
    load: async () => (await import('./commands/config.ts')).config,
  },
  {
    name: 'doctor',
    description: 'Check this installation; changes nothing',
    group: INSPECT,
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  {
    name: 'upgrade-check',
    description: 'Check whether this version can replace the running one; changes nothing',
    group: INSPECT,
    load: async () => (await import('./commands/upgrade-check.ts')).upgradeCheck,
  },
  {
    name: 'completion',
    description: 'Print a completion script for your shell',
    group: INSPECT,
    load: async () => (await import('./commands/completion.ts')).completion,
  },
]
