import type { AccessTokens } from '../core/accounts/access-tokens.ts'
import type { Accounts } from '../core/accounts/accounts.ts'
import type { PasswordReset } from '../core/accounts/password-reset.ts'
import type { Profile } from '../core/accounts/profile.ts'
import type { Applicant, Registration } from '../core/accounts/registration.ts'
import type { Actor } from '../core/actor.ts'
import type { Audit } from '../core/audit/audit.ts'
import type { Channels } from '../core/channels/channels.ts'
import type { Configuration } from '../core/configuration/configuration.ts'
import type { Groups } from '../core/groups/groups.ts'
import type { Jobs } from '../core/jobs/jobs.ts'
import type { Ledger } from '../core/ledger/ledger.ts'
import type { Limits } from '../core/limits/limits.ts'
import type { Logs } from '../core/logs/logs.ts'
import type { ManagementKeys } from '../core/management-keys/management-keys.ts'
import type { Language } from '../core/messages/language.ts'
import type { Options } from '../core/options/options.ts'
import type { PriceDetails } from '../core/pricing/price-details.ts'
import type { Redemptions } from '../core/redemption/redemption.ts'
import type { Tasks } from '../core/tasks/tasks.ts'
import type { TeamKeys } from '../core/teams/keys.ts'
import type { Teams } from '../core/teams/teams.ts'
import type { TeamUsage } from '../core/teams/usage.ts'
import type { Tokens } from '../core/tokens/tokens.ts'
import type { Wallet } from '../core/wallet/wallet.ts'
import type { CommandBatches } from './batches.ts'
import type { ChannelChecks } from './channel-checks.ts'
import type { ChatConnector } from './chat/chat-connection.ts'
import type { GatewayInfo } from './gateway-info.ts'
import type { CommandNotices } from './notices.ts'

/** An operation of the Toolkit that may be asynchronous, because a server can execute the operation. */
type Operation<F> = F extends (...args: infer A) => infer R ? (...args: A) => R | Promise<Awaited<R>> : F
/** Selected operations of a member of the Toolkit. */
type Part<T, Names extends keyof T> = { readonly [Name in Names]: Operation<T[Name]> }

type ChannelOperation =
  | 'create'
  | 'createAll'
  | 'copy'
  | 'get'
  | 'list'
  | 'search'
  | 'update'
  | 'setStatus'
  | 'setStatusOfMany'
  | 'delete'
  | 'deleteMany'
  | 'deleteDisabled'
  | 'setTagStatus'
  | 'updateTag'
  | 'tagChannels'
  | 'repair'
  | 'health'
  | 'healthOf'
type TeamOperation = Exclude<keyof Teams, 'keys' | 'usage'>
/** Long operations with one more parameter: a signal that aborts the operation. */
type LongReading<T extends Record<string, (...args: never[]) => unknown>> = {
  readonly [Name in keyof T]: (...args: [...Parameters<T[Name]>, signal?: AbortSignal]) => ReturnType<T[Name]>
}

/** Options for displaying amounts. */
export interface Display {
  quotaPerUnit: number
  inCurrency: boolean
}

interface Models {
  /** Returns the models that the actor can request. */
  usable(actor: Actor): Promise<readonly string[]>
  /** Returns the built-in model names by channel type number. */
  presets(actor: Actor): Promise<Readonly<Record<string, readonly string[]>>>
}

/** Options for buying quota. */
export interface TopUpTerms {
  /** URL of a shop for redemption codes; empty if there is none. */
  link: string
  /** Price of a dollar of quota, in currency units. */
  price: number
  /** Minimum purchase in dollars. */
  minimum: number
  /** Whether online payment is available. */
  online: boolean
}

/**
 * Operations of commands and screens. Both the local database (`cli/local/`) and a server (`cli/remote/`, over REST)
 * support them, and throw the same errors.
 */
export interface CommandToolkit {
  readonly audit: Part<Audit, 'list'>
  readonly accounts: Part<
    Accounts,
    'create' | 'get' | 'getByName' | 'list' | 'update' | 'adjustQuota' | 'manage' | 'delete'
  >
  readonly profile: Part<Profile, 'get' | 'update' | 'delete' | 'inviteCode' | 'transferInvites'> & {
    /** Stores a verified email address. Servers check the current password; the local database ignores the password. */
    bindEmail(actor: Actor, proof: { email: string; code: string; current_password: string }): Promise<void>
  }
  readonly accessTokens: Part<AccessTokens, 'create' | 'own'>
  readonly managementKeys: Part<ManagementKeys, 'create' | 'list' | 'revoke'>
  readonly registration: Part<Registration, 'sendCode'> & {
    register(applicant: Applicant, context: { language: Language }): Promise<void>
  }
  readonly passwordReset: {
    sendLink(email: string, context: { language: Language }): Promise<void>
    reset(request: Parameters<PasswordReset['reset']>[0]): Promise<{ password: string }>
  }
  readonly wallet: Part<Wallet, 'amountToPay' | 'pay' | 'orders' | 'ownOrders' | 'callbacks' | 'replay'>
  readonly channels: Part<Channels, ChannelOperation>
  readonly channelChecks: ChannelChecks
  readonly tokens: Part<Tokens, 'create' | 'get' | 'list' | 'search' | 'update' | 'setStatus' | 'delete'>
  readonly teams: Part<Teams, TeamOperation> & {
    readonly keys: Part<TeamKeys, 'list' | 'get' | 'create' | 'setStatus' | 'delete'>
    readonly usage: Part<TeamUsage, 'logs' | 'request' | 'dashboard'>
  }
  readonly redemption: Part<Redemptions, keyof Redemptions>
  readonly options: Part<Options, 'list' | 'read' | 'set' | 'change' | 'reset'>
  readonly configuration: Part<Configuration, keyof Configuration>
  readonly groups: Part<Groups, 'list'>
  readonly limits: Part<Limits, 'list' | 'set' | 'remove' | 'status' | 'learned'>
  readonly notices: CommandNotices
  readonly prices: PriceDetails
  readonly models: Models
  readonly chats: ChatConnector
  readonly ledger: Part<Ledger, 'verify'>
  readonly logs: Part<
    Logs,
    'list' | 'get' | 'stat' | 'receipt' | 'search' | 'ofKey' | 'clear' | 'counts' | 'ownCounts'
  > &
    LongReading<Pick<Logs, 'scan' | 'follow'>>
  readonly gateway: GatewayInfo
  readonly tasks: Part<Tasks, 'pageOfDrawings' | 'pageOfTasks' | 'getDrawing' | 'getTask'>
  readonly batches: CommandBatches
  readonly jobs: Part<Jobs, 'list'>
  display(): Promise<Display>
  topUpTerms(): Promise<TopUpTerms>
  /** Returns the public URL of the gateway: the option ServerAddress. */
  publicAddress(): Promise<string>
  close(): Promise<void>
}
