import type { Language } from '../messages/language.ts'

/** How quota stands in log texts: money with six decimals, or points (option DisplayInCurrencyEnabled). */
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

/** What happened, for a row that is not a relay. The rendered texts are those of the documented API. */
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

export function eventText(event: Event, display: QuotaDisplay): string {
  switch (event.text) {
    case 'new-user-grant':
      return `新用户注册赠送 ${quotaText(event.quota, display)}`
    case 'invitee-grant':
      return `使用邀请码赠送 ${quotaText(event.quota, display)}`
    case 'inviter-grant':
      return `邀请用户赠送 ${quotaText(event.quota, display)}`
    case 'quota-edit':
      return `管理员将用户额度从 ${quotaText(event.before, display)}修改为 ${quotaText(event.quota, display)}`
    case 'debt-edit':
      return `管理员将用户欠费上限从 ${quotaText(event.before, display)}修改为 ${quotaText(event.quota, display)}`
    case 'redeemed':
      return `通过兑换码充值 ${quotaText(event.quota, display)}，兑换码ID ${event.redemptionId}`
    case 'topped-up':
      return `使用在线充值成功，充值金额: ${quotaText(event.quota, display)}，支付金额：${event.money.toFixed(6)}`
    case 'cleared':
      return `管理员清理了 ${event.count} 条日志`
    case 'drawing-refunded':
      return `构图失败 ${event.taskId}，补偿 ${quotaText(event.quota, display)}`
    case 'task-refunded':
      return `异步任务执行失败 ${event.taskId}，补偿 ${quotaText(event.quota, display)}`
  }
}

/** Of a prompt that was refused. The words themselves are for administrators alone. */
export const SENSITIVE_REFUSAL = '请求包含敏感词，已被拒绝'
