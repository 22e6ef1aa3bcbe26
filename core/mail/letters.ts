import type { ChannelChange } from '../channels/status/status-change.ts'
import type { Language } from '../messages/language.ts'
import { CODE_MINUTES } from '../verification.ts'
import type { Message } from './mail.ts'

export type Letter = Omit<Message, 'to'>

/** The letter with a verification code. */
export function codeLetter({
  systemName,
  code,
  language,
}: {
  systemName: string
  code: string
  language: Language
}): Letter {
  const name = escapeHtml(systemName)
  const shown = `<strong>${escapeHtml(code)}</strong>`
  if (language === 'en') {
    return {
      subject: `${systemName}: verification code`,
      html:
        `<p>Hello, you are verifying your email address for ${name}.</p>` +
        `<p>Your verification code: ${shown}</p>` +
        `<p>The code is valid for ${CODE_MINUTES} minutes. If you did not ask for it, please ignore this mail.</p>`,
    }
  }
  return {
    subject: `${systemName}邮箱验证邮件`,
    html:
      `<p>您好，你正在进行${name}邮箱验证。</p>` +
      `<p>您的验证码为: ${shown}</p>` +
      `<p>验证码 ${CODE_MINUTES} 分钟内有效，如果不是本人操作，请忽略。</p>`,
  }
}

/** The letter with a link to set a new password. */
export function resetLetter({
  systemName,
  link,
  language,
}: {
  systemName: string
  link: string
  language: Language
}): Letter {
  const name = escapeHtml(systemName)
  const address = escapeHtml(link)
  if (language === 'en') {
    return {
      subject: `${systemName}: password reset`,
      html:
        `<p>Hello, you are resetting your password for ${name}.</p>` +
        `<p>Click <a href="${address}">here</a> to reset the password.</p>` +
        `<p>If the link cannot be clicked, click the link below or copy it into a browser:<br> ${address} </p>` +
        `<p>The link is valid for ${CODE_MINUTES} minutes. If you did not ask for it, please ignore this mail.</p>`,
    }
  }
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
export function guessesLetter({
  systemName,
  username,
  language,
}: {
  systemName: string
  username: string
  language: Language
}): Letter {
  const name = escapeHtml(systemName)
  const account = `<strong>${escapeHtml(username)}</strong>`
  if (language === 'en') {
    return {
      subject: `${systemName}: failed sign-ins`,
      html:
        `<p>Hello, several sign-ins to your account ${account} at ${name} failed within an hour because of wrong passwords.</p>` +
        '<p>If it was you, please ignore this mail. If not, your password was not guessed, but please make sure that it is strong and not used elsewhere.</p>',
    }
  }
  return {
    subject: `${systemName}登录失败提醒`,
    html:
      `<p>您好，您在${name}的账户 ${account} 在一小时内多次因密码错误登录失败。</p>` +
      `<p>如果是您本人操作，请忽略。如果不是，您的密码尚未被猜中，但请确认密码足够复杂且未在别处使用。</p>`,
  }
}

/** The letter that tells root which channels the gateway has disabled or enabled. Reasons are in the words of their origin. */
export function channelLetter(changes: readonly ChannelChange[], language: Language): Letter {
  const texts = changes.map((change) => CHANGE_TEXTS[language](change))
  const [only, ...more] = texts
  if (only && more.length === 0) return { subject: only.what, html: escapeHtml(only.what + only.why) }
  const lines = texts.map(({ what, why }) => `<li>${escapeHtml(what + why)}</li>`)
  const subject =
    language === 'en' ? `The status of ${changes.length} channels changed` : `${changes.length} 个渠道状态变更`
  return { subject, html: `<ul>${lines.join('')}</ul>` }
}

const CHANGE_TEXTS: Readonly<Record<Language, (change: ChannelChange) => { what: string; why: string }>> = {
  zh({ channelId, name, event, reason, key }) {
    const of = key === undefined ? '' : `的密钥 ${key} `
    const what = `渠道「${name}」（#${channelId}）${of}${isDisabled(event) ? '已被禁用' : '已被启用'}`
    return { what, why: reason ? `，原因：${reason}` : '' }
  },
  en({ channelId, name, event, reason, key }) {
    const subject = key === undefined ? 'Channel' : `Key ${key} of channel`
    const what = `${subject} “${name}” (#${channelId}) was ${isDisabled(event) ? 'disabled' : 'enabled'}`
    return { what, why: reason ? `. Reason: ${reason}` : '' }
  },
}

function isDisabled(event: ChannelChange['event']): boolean {
  return event === 'disabled' || event === 'key-disabled'
}

/** The letter that tells root that a limit which only notifies was exceeded. The news are in the same language. */
export function limitLetter({ id, subject, amount, measure, period }: LimitNews, language: Language): Letter {
  if (language === 'en') {
    const what = `Limit ${id} was exceeded: ${subject}, ${amount} ${measure}${period === undefined ? ' at the same time' : ` per ${period}`}`
    return {
      subject: what,
      html: escapeHtml(`${what}. No request was rejected; there is no other mail in this window.`),
    }
  }
  const what = `限制 ${id} 已超出：${subject}，每${period ?? '时刻'} ${amount} ${measure}`
  return { subject: what, html: escapeHtml(`${what}。请求未被拒绝；此窗口内不再通知。`) }
}

export interface LimitNews {
  id: number
  subject: string
  amount: string
  measure: string
  /** Absent for a limit of what runs at the same time. */
  period?: string
}

/** The result of a test of all channels. */
export interface TestRound {
  tested: number
  failed: number
  disabled: number
  enabled: number
}

/** The letter that tells root that a requested test is done. */
export function testRoundLetter({ tested, failed, disabled, enabled }: TestRound, language: Language): Letter {
  if (language === 'en') {
    const subject = 'Channel test completed'
    const found = `channels tested: ${tested}, failed: ${failed}, disabled: ${disabled}, enabled: ${enabled}.`
    return { subject, html: `${subject}, ${found}` }
  }
  const found = `共测试 ${tested} 个渠道，失败 ${failed} 个，禁用 ${disabled} 个，启用 ${enabled} 个。`
  return { subject: '渠道测试完成', html: `渠道测试完成，${found}` }
}

/** The letter that reminds a user of a low balance. `balance` as users read it in that language. */
export function reminderLetter({
  usedUp,
  balance,
  topUpLink,
  language,
}: {
  usedUp: boolean
  balance: string
  topUpLink: string
  language: Language
}): Letter {
  const address = escapeHtml(topUpLink)
  const link = `<a href='${address}'>${address}</a>`
  if (language === 'en') {
    const subject = usedUp ? 'Your balance is used up' : 'Your balance is almost used up'
    return {
      subject,
      html:
        `${subject}. The remaining balance is ${escapeHtml(balance)}. To keep using the service, please top up in time.` +
        `<br/>Top up: ${link}`,
    }
  }
  const subject = usedUp ? '您的额度已用尽' : '您的额度即将用尽'
  return {
    subject,
    html:
      `${subject}，当前剩余额度为 ${escapeHtml(balance)}，为了不影响您的使用，请及时充值。` + `<br/>充值链接：${link}`,
  }
}

/** A notice as a letter: its title, and its lines, in the language of the notice. */
export function noticeLetter({ title, body }: { title: string; body: string }): Letter {
  const lines = [title, ...body.split('\n')].filter((line) => line !== '')
  return { subject: title, html: lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('') }
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}
