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
import type { Logs } from '../core/logs/logs.ts'
import type { ManagementKeys } from '../core/management-keys/management-keys.ts'
import type { Options } from '../core/options/options.ts'
import type { PriceDetails } from '../core/pricing/price-details.ts'
import type { Redemptions } from '../core/redemption/redemption.ts'
import type { Tasks } from '../core/tasks/tasks.ts'
import type { Tokens } from '../core/tokens/tokens.ts'
import type { Wallet } from '../core/wallet/wallet.ts'
import type { ChannelChecks } from './channel-checks.ts'
import type { Chats } from './chat/door.ts'
import type { GatewayInfo } from './gateway-info.ts'

/** An operation as somebody sees it who does not know how far away it is done. */
type Answered<F> = F extends (...args: infer A) => infer R ? (...args: A) => R | Promise<Awaited<R>> : F
/** These operations of a part of the Toolkit. */
type Part<T, Names extends keyof T> = { readonly [Name in Names]: Answered<T[Name]> }

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
/** These take a while, and end early with the signal. */
type LongReading<T extends Record<string, (...args: never[]) => unknown>> = {
  readonly [Name in keyof T]: (...args: [...Parameters<T[Name]>, signal?: AbortSignal]) => ReturnType<T[Name]>
}

/** How amounts are shown, as the options of the gateway have it. */
export interface Display {
  quotaPerUnit: number
  inCurrency: boolean
}

/** Names of models. */
export interface Models {
  /** What the actor can ask for. */
  usable(actor: Actor): Promise<readonly string[]>
  /** The built-in names, by the number of the kind of channel that serves them. */
  presets(actor: Actor): Promise<Readonly<Record<string, readonly string[]>>>
}

/** How quota can be bought, as the options of the gateway have it. */
export interface TopUpTerms {
  /** A shop that sells redemption codes; empty when there is none. */
  link: string
  /** Currency units for a dollar. */
  price: number
  /** Dollars. */
  minimum: number
  /** Whether orders can be paid online. */
  online: boolean
}

/**
 * What commands and screens may ask of a gateway: the part of the Toolkit that a database on this machine (`cli/local/`) and a
 * server far away (`cli/remote/`, over the REST API) both have. Whatever is asked throws the same errors on both.
 */
export interface CommandToolkit {
  readonly audit: Part<Audit, 'list'>
  readonly accounts: Part<
    Accounts,
    'create' | 'get' | 'getByName' | 'list' | 'update' | 'adjustQuota' | 'manage' | 'delete'
  >
  readonly profile: Part<Profile, 'get' | 'update' | 'delete' | 'inviteCode' | 'transferInvites'> & {
    /** A server requires the current password. */
    bindEmail(actor: Actor, proof: { email: string; code: string; current_password: string }): Promise<void>
  }
  readonly accessTokens: Part<AccessTokens, 'create' | 'own'>
  readonly managementKeys: Part<ManagementKeys, 'create' | 'list' | 'revoke'>
  readonly registration: Part<Registration, 'sendCode'> & { register(applicant: Applicant): Promise<void> }
  readonly passwordReset: {
    sendLink(email: string): Promise<void>
    reset(request: Parameters<PasswordReset['reset']>[0]): Promise<{ password: string }>
  }
  readonly wallet: Part<Wallet, 'amountToPay' | 'pay' | 'orders' | 'ownOrders' | 'callbacks' | 'replay'>
  readonly channels: Part<Channels, ChannelOperation>
  readonly channelChecks: ChannelChecks
  readonly tokens: Part<Tokens, 'create' | 'get' | 'list' | 'search' | 'update' | 'setStatus' | 'delete'>
  readonly redemption: Part<Redemptions, keyof Redemptions>
  readonly options: Part<Options, 'list' | 'read' | 'set' | 'change' | 'reset'>
  readonly configuration: Part<Configuration, keyof Configuration>
  readonly groups: Part<Groups, 'list'>
  readonly prices: PriceDetails
  readonly models: Models
  readonly chats: Chats
  readonly ledger: Part<Ledger, 'verify'>
  readonly logs: Part<
    Logs,
    'list' | 'get' | 'stat' | 'receipt' | 'search' | 'ofKey' | 'clear' | 'counts' | 'ownCounts'
  > &
    LongReading<Pick<Logs, 'scan' | 'follow'>>
  readonly gateway: GatewayInfo
  readonly tasks: Part<Tasks, 'pageOfDrawings' | 'pageOfTasks' | 'getDrawing' | 'getTask'>
  readonly jobs: Part<Jobs, 'list'>
  display(): Promise<Display>
  topUpTerms(): Promise<TopUpTerms>
  /** Where browsers find the gateway, as its option says. */
  publicAddress(): Promise<string>
  close(): Promise<void>
}
