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
const REACH = 'You:'
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
    description: 'Try it: a throw-away gateway with a simulated provider',
    group: RUN,
    load: async () => (await import('./commands/demo.ts')).demo,
  },
  {
    name: 'chat',
    description: 'Chat with a model, in this terminal or a pipe',
    group: RUN,
    load: async () => (await import('./commands/chat.ts')).chat,
  },
  {
    name: 'login',
    description: 'Sign in to a server, which commands are for from then on',
    group: REACH,
    load: async () => (await import('./commands/login.ts')).login,
  },
  {
    name: 'logout',
    description: 'Forget a server and its access token',
    group: REACH,
    load: async () => (await import('./commands/logout.ts')).logout,
  },
  {
    name: 'profile',
    description: 'Servers that you are signed in to, and which is in use',
    group: REACH,
    load: async () => (await import('./commands/profile.ts')).profile,
  },
  {
    name: 'account',
    description: 'Your own account',
    group: REACH,
    load: async () => (await import('./commands/account.ts')).account,
  },
  {
    name: 'wallet',
    description: 'Your balance: codes, top-ups, orders',
    group: REACH,
    load: async () => (await import('./commands/wallet.ts')).wallet,
  },
  {
    name: 'channel',
    description: 'Upstream accounts that requests are relayed to',
    group: MANAGE,
    load: async () => (await import('./commands/channel.ts')).channel,
  },
  {
    name: 'token',
    description: 'API keys that programs call the gateway with',
    group: MANAGE,
    load: async () => (await import('./commands/token.ts')).token,
  },
  {
    name: 'team',
    description: 'Teams that share a balance, with members and keys',
    group: MANAGE,
    load: async () => (await import('./commands/team.ts')).team,
  },
  {
    name: 'api-key',
    description: 'Keys for the management API, limited in what they may do',
    group: MANAGE,
    load: async () => (await import('./commands/api-key.ts')).apiKey,
  },
  {
    name: 'user',
    description: 'People, their roles and balances',
    group: MANAGE,
    load: async () => (await import('./commands/user.ts')).user,
  },
  {
    name: 'redemption',
    description: 'Codes that turn into quota',
    group: MANAGE,
    load: async () => (await import('./commands/redemption.ts')).redemption,
  },
  {
    name: 'option',
    description: 'What can be changed while the gateway runs',
    group: MANAGE,
    load: async () => (await import('./commands/option.ts')).option,
  },
  {
    name: 'pricing',
    description: 'What models cost',
    group: MANAGE,
    load: async () => (await import('./commands/pricing.ts')).pricing,
  },
  {
    name: 'group',
    description: 'Groups of users, and the price ratio of each',
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
    description: 'Notices by webhook, mail and chat, and their deliveries',
    group: MANAGE,
    load: async () => (await import('./commands/notify.ts')).notify,
  },
  {
    name: 'model',
    description: 'Names of models',
    group: INSPECT,
    load: async () => (await import('./commands/model.ts')).model,
  },
  {
    name: 'status',
    description: 'The gateway in one look: version, database, who you are',
    group: INSPECT,
    load: async () => (await import('./commands/status.ts')).status,
  },
  {
    name: 'stat',
    description: 'What was used, by model or by time',
    group: INSPECT,
    load: async () => (await import('./commands/stat.ts')).stat,
  },
  {
    name: 'ui',
    description: 'All of it on one screen: channels, tokens, users, codes, logs, options',
    group: MANAGE,
    load: async () => (await import('./commands/ui.ts')).ui,
  },
  {
    name: 'log',
    description: 'What was relayed, and what it cost',
    group: INSPECT,
    load: async () => (await import('./commands/log.ts')).log,
  },
  {
    name: 'task',
    description: 'Drawings and music: what became of them',
    group: INSPECT,
    load: async () => (await import('./commands/task.ts')).task,
  },
  {
    name: 'batch',
    description: 'Batches of requests at upstreams, of all users',
    group: INSPECT,
    load: async () => (await import('./commands/batch.ts')).batch,
  },
  {
    name: 'file',
    description: 'Files at upstreams, of all users',
    group: INSPECT,
    load: async () => (await import('./commands/file.ts')).file,
  },
  {
    name: 'import',
    description: 'Move in from new-api, one-api or LiteLLM; see it, and take it back',
    group: MANAGE,
    load: async () => (await import('./commands/import.ts')).importNoun,
  },
  {
    name: 'export',
    description: 'Move out: everything as JSON Lines, or as a database of new-api',
    group: MANAGE,
    load: async () => (await import('./commands/export.ts')).exportNoun,
  },
  {
    name: 'ledger',
    description: 'Proof that the books balance',
    group: INSPECT,
    load: async () => (await import('./commands/ledger.ts')).ledger,
  },
  {
    name: 'audit',
    description: 'What administrators did, with what was before',
    group: INSPECT,
    load: async () => (await import('./commands/audit.ts')).audit,
  },
  {
    name: 'job',
    description: 'Regular work, and which process does it',
    group: INSPECT,
    load: async () => (await import('./commands/job.ts')).job,
  },
  {
    name: 'db',
    description: 'The database: state, migrations, backups, integrity',
    group: INSPECT,
    load: async () => (await import('./commands/db.ts')).db,
  },
  {
    name: 'config',
    description: 'Settings in force, and where each comes from',
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
    description: 'Let the shell complete commands when you press Tab',
    group: INSPECT,
    load: async () => (await import('./commands/completion.ts')).completion,
  },
]
