import type { ChannelChange } from '../channels/status/status-change.ts'
import type { Language } from '../messages/language.ts'
import { textIn } from '../messages/texts.ts'
import { CODE_MINUTES } from '../verification.ts'
import type { MailMessage } from './mail.ts'

export type Letter = Omit<MailMessage, 'to'>

interface LetterContext {
  systemName: string
  language: Language
}

/** Returns the mail with a verification code. */
export function codeLetter({ systemName, language, code }: LetterContext & { code: string }): Letter {
  return {
    subject: textIn(language, 'mail.code', { systemName }),
    html: textIn(language, 'mail.code-html', {
      name: escapeHtml(systemName),
      code: escapeHtml(code),
      minutes: CODE_MINUTES,
    }),
  }
}

/** Returns the mail with a link to set a new password. */
export function resetLetter({ systemName, language, link }: LetterContext & { link: string }): Letter {
  return {
    subject: textIn(language, 'mail.reset', { systemName }),
    html: textIn(language, 'mail.reset-html', {
      name: escapeHtml(systemName),
      address: escapeHtml(link),
      minutes: CODE_MINUTES,
    }),
  }
}

/** Returns the mail to a user about wrong passwords at sign-in. */
export function guessesLetter({ systemName, language, username }: LetterContext & { username: string }): Letter {
  return {
    subject: textIn(language, 'mail.guesses', { systemName }),
    html: textIn(language, 'mail.guesses-html', { name: escapeHtml(systemName), username: escapeHtml(username) }),
  }
}

/** Returns the mail to root about disabled and enabled channels. Reasons stay in their original language. */
export function channelLetter(changes: readonly ChannelChange[], language: Language): Letter {
  const texts = changes.map(({ channelId, name, event, reason, key }) => {
    const what = textIn(language, `mail.${event}`, { id: channelId, name, key })
    return { what, whole: reason ? textIn(language, 'mail.reason', { what, reason }) : what }
  })
  const [only, ...more] = texts
  if (only && more.length === 0) return { subject: only.what, html: escapeHtml(only.whole) }
  return {
    subject: textIn(language, 'mail.channels', { number: changes.length }),
    html: `<ul>${texts.map(({ whole }) => `<li>${escapeHtml(whole)}</li>`).join('')}</ul>`,
  }
}

/** Returns the mail to root about an exceeded limit with the action `notify`. `news` has texts in `language`. */
export function limitLetter(news: ExceededLimit, language: Language): Letter {
  const subject = textIn(language, news.period === undefined ? 'mail.limit-concurrent' : 'mail.limit', { ...news })
  return { subject, html: escapeHtml(textIn(language, 'mail.limit-html', { what: subject })) }
}

export interface ExceededLimit {
  id: number
  subject: string
  amount: string
  measure: string
  /** Absent for a limit of concurrent requests. */
  period?: string
}

/** The result of a test of all channels, in numbers of channels. */
export interface TestRound {
  tested: number
  failed: number
  disabled: number
  enabled: number
}

/** Returns the mail to root about the end of a requested test of all channels. */
export function testRoundLetter(round: TestRound, language: Language): Letter {
  return { subject: textIn(language, 'mail.tests'), html: textIn(language, 'mail.tests-html', { ...round }) }
}

/** Returns the mail to a user about a low balance. `balance` is already formatted in the language. */
export function reminderLetter(values: {
  usedUp: boolean
  balance: string
  topUpLink: string
  language: Language
}): Letter {
  const { usedUp, balance, topUpLink, language } = values
  const subject = textIn(language, usedUp ? 'mail.used-up' : 'mail.almost-used-up')
  return {
    subject,
    html: textIn(language, 'mail.balance-html', {
      subject,
      balance: escapeHtml(balance),
      address: escapeHtml(topUpLink),
    }),
  }
}

/** Returns a notice as a mail, with its title and lines. */
export function noticeLetter({ title, body }: { title: string; body: string }): Letter {
  const lines = [title, ...body.split('\n')].filter((line) => line !== '')
  return { subject: title, html: lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('') }
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}
