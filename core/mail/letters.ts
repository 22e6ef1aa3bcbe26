import type { ChannelChange } from '../channels/status/status-change.ts'
import type { Language } from '../messages/language.ts'
import { textIn } from '../messages/texts.ts'
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
  return {
    subject: textIn(language, 'mail.code', { systemName }),
    html: textIn(language, 'mail.code-html', {
      name: escapeHtml(systemName),
      code: escapeHtml(code),
      minutes: CODE_MINUTES,
    }),
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
  return {
    subject: textIn(language, 'mail.reset', { systemName }),
    html: textIn(language, 'mail.reset-html', {
      name: escapeHtml(systemName),
      address: escapeHtml(link),
      minutes: CODE_MINUTES,
    }),
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
  return {
    subject: textIn(language, 'mail.guesses', { systemName }),
    html: textIn(language, 'mail.guesses-html', { name: escapeHtml(systemName), username: escapeHtml(username) }),
  }
}

/** The letter that tells root which channels the gateway has disabled or enabled. Reasons are in the words of their origin. */
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

/** The letter that tells root that a limit which only notifies was exceeded. The news are in the same language. */
export function limitLetter(news: LimitNews, language: Language): Letter {
  const subject = textIn(language, news.period === undefined ? 'mail.limit-concurrent' : 'mail.limit', { ...news })
  return { subject, html: escapeHtml(textIn(language, 'mail.limit-html', { what: subject })) }
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
export function testRoundLetter(round: TestRound, language: Language): Letter {
  return { subject: textIn(language, 'mail.tests'), html: textIn(language, 'mail.tests-html', { ...round }) }
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

/** A notice as a letter: its title, and its lines, in the language of the notice. */
export function noticeLetter({ title, body }: { title: string; body: string }): Letter {
  const lines = [title, ...body.split('\n')].filter((line) => line !== '')
  return { subject: title, html: lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('') }
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}
