import type { Language } from '../messages/language.ts'

/** The format of quota in log texts: money with six decimals, or points (option DisplayInCurrencyEnabled). */
export interface QuotaDisplay {
  inCurrency: boolean
  quotaPerUnit: number
}

export function quotaText(
  quota: number,
  { inCurrency, quotaPerUnit }: QuotaDisplay,
  language: Language = 'zh',
): string {
  if (language === 'en') return inCurrency ? `$${(quota / quotaPerUnit).toFixed(6)}` : `${quota} quota`
  return inCurrency ? `＄${(quota / quotaPerUnit).toFixed(6)} 额度` : `${quota} 点额度`
}

/** An event other than a relay. */
export type Event =
  | { text: 'new-user-grant'; quota: number }
  | { text: 'invitee-grant'; quota: number }
  | { text: 'inviter-grant'; quota: number }
  | { text: 'quota-edit'; quota: number; before: number }
  | { text: 'debt-edit'; quota: number; before: number }
  | { text: 'redeemed'; quota: number; redemptionId: number }
  | { text: 'topped-up'; quota: number; money: number }
  | { text: 'cleared'; count: number }
  | { text: 'drawing-refunded'; quota: number; taskId: string }
  | { text: 'task-refunded'; quota: number; taskId: string }
  | { text: 'team-given'; quota: number; team: string }
  | { text: 'team-received'; quota: number; user: string }
  | { text: 'team-deleted'; quota: number; team: string }
  | { text: 'batch-absent'; quota: number; taskId: string }
  | { text: 'batch-ended'; quota: number; taskId: string; promptTokens: number; completionTokens: number; cost: number }
  | { text: 'failures-counted'; count: number }

type Words<Name extends Event['text']> = (
  event: Extract<Event, { text: Name }>,
  amount: (quota: number) => string,
) => string
type EventTexts = { [Name in Event['text']]: Record<Language, Words<Name>> }

/** The text of each event. The Chinese texts are those of the documented API. */
export const EVENT_TEXTS: EventTexts = {
  'new-user-grant': {
    zh: ({ quota }, amount) => `新用户注册赠送 ${amount(quota)}`,
    en: ({ quota }, amount) => `Granted ${amount(quota)} to a new user`,
  },
  'invitee-grant': {
    zh: ({ quota }, amount) => `使用邀请码赠送 ${amount(quota)}`,
    en: ({ quota }, amount) => `Granted ${amount(quota)} for using an invite code`,
  },
  'inviter-grant': {
    zh: ({ quota }, amount) => `邀请用户赠送 ${amount(quota)}`,
    en: ({ quota }, amount) => `Granted ${amount(quota)} for inviting a user`,
  },
  'quota-edit': {
    zh: ({ quota, before }, amount) => `管理员将用户额度从 ${amount(before)}修改为 ${amount(quota)}`,
    en: ({ quota, before }, amount) =>
      `An administrator changed the balance from ${amount(before)} to ${amount(quota)}`,
  },
  'debt-edit': {
    zh: ({ quota, before }, amount) => `管理员将用户欠费上限从 ${amount(before)}修改为 ${amount(quota)}`,
    en: ({ quota, before }, amount) =>
      `An administrator changed the debt limit from ${amount(before)} to ${amount(quota)}`,
  },
  redeemed: {
    zh: ({ quota, redemptionId }, amount) => `通过兑换码充值 ${amount(quota)}，兑换码ID ${redemptionId}`,
    en: ({ quota, redemptionId }, amount) => `Redeemed a code for ${amount(quota)}, code ID ${redemptionId}`,
  },
  'topped-up': {
    zh: ({ quota, money }, amount) => `使用在线充值成功，充值金额: ${amount(quota)}，支付金额：${money.toFixed(6)}`,
    en: ({ quota, money }, amount) => `Topped up ${amount(quota)} online, paid ${money.toFixed(6)}`,
  },
  cleared: {
    zh: ({ count }) => `管理员清理了 ${count} 条日志`,
    en: ({ count }) => `An administrator cleared ${count} log ${count === 1 ? 'entry' : 'entries'}`,
  },
  'drawing-refunded': {
    zh: ({ quota, taskId }, amount) => `构图失败 ${taskId}，补偿 ${amount(quota)}`,
    en: ({ quota, taskId }, amount) => `Drawing ${taskId} failed, refunded ${amount(quota)}`,
  },
  'task-refunded': {
    zh: ({ quota, taskId }, amount) => `异步任务执行失败 ${taskId}，补偿 ${amount(quota)}`,
    en: ({ quota, taskId }, amount) => `Task ${taskId} failed, refunded ${amount(quota)}`,
  },
  'team-given': {
    zh: ({ quota, team }, amount) => `向团队 ${team} 转入 ${amount(quota)}`,
    en: ({ quota, team }, amount) => `Transferred ${amount(quota)} to team ${team}`,
  },
  'team-received': {
    zh: ({ quota, user }, amount) => `用户 ${user} 转入 ${amount(quota)}`,
    en: ({ quota, user }, amount) => `User ${user} transferred ${amount(quota)} to the team`,
  },
  'team-deleted': {
    zh: ({ quota, team }, amount) => `团队 ${team} 已删除，余额 ${amount(quota)} 已退回`,
    en: ({ quota, team }, amount) => `Team ${team} was deleted: its balance of ${amount(quota)} was returned`,
  },
  'batch-absent': {
    zh: ({ quota, taskId }, amount) => `上游未接受请求 ${taskId} 的批处理，退还 ${amount(quota)}`,
    en: ({ quota, taskId }, amount) =>
      `The upstream did not accept the batch of request ${taskId}: refunded ${amount(quota)}`,
  },
  'batch-ended': {
    zh: ({ quota, taskId, promptTokens, completionTokens, cost }, amount) =>
      `批处理 ${taskId} 结束：提示 ${promptTokens} 词元，补全 ${completionTokens} 词元，费用 ${amount(cost)}，退还 ${amount(quota)}`,
    en: ({ quota, taskId, promptTokens, completionTokens, cost }, amount) =>
      `Batch ${taskId} ended: ${promptTokens} prompt and ${completionTokens} completion tokens cost ${amount(cost)}, refunded ${amount(quota)}`,
  },
  'failures-counted': {
    zh: ({ count }) => `同一秒内的另外 ${count} 次失败只计数，未逐条记录`,
    en: ({ count }) =>
      count === 1
        ? '1 more failure in this second was counted, not recorded'
        : `${count} more failures in this second were counted, not recorded one by one`,
  },
}

/** Returns an event's text in one language. */
export function eventText(event: Event, display: QuotaDisplay, language: Language = 'zh'): string {
  // Each name's texts accept only events of that name, which the type of a lookup by union cannot express.
  const words = EVENT_TEXTS[event.text][language] as (event: Event, amount: (quota: number) => string) => string
  return words(event, (quota) => quotaText(quota, display, language))
}

/** For a rejected prompt. Only administrators see the words themselves. */
export const SENSITIVE_REFUSAL = '请求包含敏感词，已被拒绝'
