import type { Accounts } from '../core/accounts/accounts.ts'
import type { Channels } from '../core/channels/channels.ts'
import type { Jobs } from '../core/jobs/jobs.ts'
import type { Ledger } from '../core/ledger/ledger.ts'
import type { Logs } from '../core/logs/logs.ts'
import type { Options } from '../core/options/options.ts'
import type { Redemptions } from '../core/redemption/redemption.ts'
import type { Tasks } from '../core/tasks/tasks.ts'
import type { Tokens } from '../core/tokens/tokens.ts'
import type { ChannelChecks } from './channel-checks.ts'

/** An operation as somebody sees it who does not know how far away it is done. */
type Answered<F> = F extends (...args: infer A) => infer R ? (...args: A) => R | Promise<Awaited<R>> : F
/** These operations of a part of the Toolkit. */
type Part<T, Names extends keyof T> = { readonly [Name in Names]: Answered<T[Name]> }

/** How amounts are shown, as the options of the gateway have it. */
export interface Display {
  quotaPerUnit: number
  inCurrency: boolean
}

/**
 * What commands and screens may ask of a gateway: the part of the Toolkit that a database on this machine (`cli/local/`) and a
 * server far away (`cli/remote/`, over the REST API) both have. Whatever is asked throws the same errors on both.
 */
export interface CommandToolkit {
  readonly accounts: Part<Accounts, 'create' | 'get' | 'getByName' | 'list' | 'manage' | 'update'>
  readonly channels: Part<
    Channels,
    'create' | 'get' | 'list' | 'update' | 'setStatus' | 'delete' | 'health' | 'healthOf'
  >
  readonly channelChecks: ChannelChecks
  readonly tokens: Part<Tokens, 'create' | 'get' | 'list' | 'update' | 'setStatus' | 'delete'>
  readonly redemption: Part<Redemptions, 'create' | 'list' | 'redeem' | 'setStatus' | 'delete'>
  readonly options: Part<Options, 'list' | 'read' | 'set'>
  readonly ledger: Part<Ledger, 'verify'>
  readonly logs: Part<Logs, 'list' | 'stat' | 'receipt'>
  readonly tasks: Part<Tasks, 'pageOfDrawings' | 'pageOfTasks' | 'getDrawing' | 'getTask'>
  readonly jobs: Part<Jobs, 'list'>
  display(): Promise<Display>
  close(): Promise<void>
}
