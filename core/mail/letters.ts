import type { ChannelChange } from '../channels/status-change.ts'
import { CODE_MINUTES } from '../verification/verification.ts'
import type { Message } from './mail.ts'

export type Letter = Omit<Message, 'to'>

/** The letter with a verification code. */
export function codeLetter({ systemName, code }: { systemName: string; code: string }): Letter {
  const name = escapeHtml(systemName)
  return {
    subject: `${systemName}邮箱验证邮件`,
    html:
      `<p>您好，你正在进行${name}邮箱验证。</p>` +
      `<p>您的验证码为: <strong>${escapeHtml(code)}</strong></p>` +
      `<p>验证码 ${CODE_MINUTES} 分钟内有效，如果不是本人操作，请忽略。</p>`,
  }
}

/** The letter with a link to set a new password. */
export function resetLetter({ systemName, link }: { systemName: string; link: string }): Letter {
  const name = escapeHtml(systemName)
  const address = escapeHtml(link)
  return {
    subject: `${systemName}密码重置`,
    html:
      `<p>您好，你正在进行${name}密码重置。</p>` +
      `<p>点击 <a href="${address}">此处</a> 进行密码重置。</p>` +
      `<p>如果链接无法点击，请尝试点击下面的链接或将其复制到浏览器中打开：<br> ${address} </p>` +
      `<p>重置链接 ${CODE_MINUTES} 分钟内有效，如果不是本人操作，请忽略。</p>`,
  }
}

/** The letter that tells a user of wrong passwords at the sign-in. */
export function guessesLetter({ systemName, username }: { systemName: string; username: string }): Letter {
  return {
    subject: `${systemName}登录失败提醒`,
    html:
      `<p>您好，您在${escapeHtml(systemName)}的账户 <strong>${escapeHtml(username)}</strong> 在一小时内多次因密码错误登录失败。</p>` +
      `<p>如果是您本人操作，请忽略。如果不是，您的密码尚未被猜中，但请确认密码足够复杂且未在别处使用。</p>`,
  }
}

/** The letter that tells root which channels the gateway has disabled or enabled. */
export function channelLetter(changes: readonly ChannelChange[]): Letter {
  const [only, ...more] = changes.map(changeText)
  if (only && more.length === 0) return { subject: only.what, html: escapeHtml(only.what + only.why) }
  const lines = changes.map(changeText).map(({ what, why }) => `<li>${escapeHtml(what + why)}</li>`)
  return { subject: `${changes.length} 个通道状态变更`, html: `<ul>${lines.join('')}</ul>` }
}

function changeText({ channelId, name, event, reason, key }: ChannelChange): { what: string; why: string } {
  const done = event === 'disabled' || event === 'key-disabled' ? '已被禁用' : '已被启用'
  const of = key === undefined ? '' : `的密钥 ${key} `
  return { what: `通道「${name}」（#${channelId}）${of}${done}`, why: reason ? `，原因：${reason}` : '' }
}

/** What a test of all channels has found. */
export interface TestRound {
  tested: number
  failed: number
  disabled: number
  enabled: number
}

/** The letter that tells root that a test which somebody had asked for is done. */
export function testRoundLetter({ tested, failed, disabled, enabled }: TestRound): Letter {
  const found = `共测试 ${tested} 个通道，失败 ${failed} 个，禁用 ${disabled} 个，启用 ${enabled} 个。`
  return { subject: '通道测试完成', html: `通道测试完成，${found}` }
}

/** The letter that reminds a user of a low balance. `balance` as users read it. */
export function reminderLetter({
  usedUp,
  balance,
  topUpLink,
}: {
  usedUp: boolean
  balance: string
  topUpLink: string
}): Letter {
  const subject = usedUp ? '您的额度已用尽' : '您的额度即将用尽'
  const link = escapeHtml(topUpLink)
  return {
    subject,
    html:
      `${subject}，当前剩余额度为 ${escapeHtml(balance)}，为了不影响您的使用，请及时充值。` +
      `<br/>充值链接：<a href='${link}'>${link}</a>`,
  }
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}
