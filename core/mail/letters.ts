import { CODE_MINUTES } from '../verification/verification.ts'
import type { Message } from './mail.ts'

type Letter = Omit<Message, 'to'>

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

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}
