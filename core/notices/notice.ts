export type { NewNoticeTarget, NoticeDelivery, NoticeTarget, NoticeThreshold } from './schema.ts'

/** Events of the gateway. They are sent only to the gateway's targets. */
const GATEWAY_EVENTS = [
  'channel.disabled',
  'channel.enabled',
  'circuit.opened',
  'job.failed',
  'ledger.mismatch',
] as const
/**
 * Events of one account. They are sent to the targets of the gateway and of the user. For a team, they are sent to the
 * targets of the gateway and of the team's owner and admins. A member also gets events of the member's own team keys.
 */
export const ACCOUNT_EVENTS = ['balance.reached', 'budget.reached', 'payment.completed', 'sign-in.new'] as const
export const NOTICE_EVENTS = [...GATEWAY_EVENTS, ...ACCOUNT_EVENTS] as const
export type NoticeEvent = (typeof NOTICE_EVENTS)[number]

/** The event of a test notice. Targets cannot subscribe to it. */
export const TEST_EVENT = 'test' as const

/** Kinds of notice targets. */
export const NOTICE_KINDS = ['webhook', 'mail', 'telegram', 'feishu', 'bark', 'slack'] as const
export type NoticeKind = (typeof NOTICE_KINDS)[number]

export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

export const NOTICE_LANGUAGES = ['en', 'zh'] as const

/** The used percentages of a balance or budget that cause a notice, unless other percentages were set. */
export const DEFAULT_PERCENTS: readonly number[] = [80, 100]

/** A stored event. The fields of `data` depend on the event. */
export interface StoredNotice {
  readonly id: number
  readonly event: string
  readonly subject: string
  readonly data: Readonly<Record<string, unknown>>
  /** Unix seconds. */
  readonly created_at: number
}
