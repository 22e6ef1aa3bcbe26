import { setTimeout as sleep } from 'node:timers/promises'
import type { MailReceiver } from '../core/accounts/accounts.ts'
import type { ChannelChange } from '../core/channels/status/status-change.ts'
import { GatewayError } from '../core/errors.ts'
import { mailOutcomeOf } from '../core/mail/failure.ts'
import { channelLetter, type Letter } from '../core/mail/letters.ts'
import type { Mail, MailMessage } from '../core/mail/mail.ts'
import type { Language } from '../core/messages/language.ts'

/** Delay before a mail. Changes within this time are sent in the same mail. */
const GATHER_MS = 1000
/** Minimum time between mails, and before a retry. */
const BETWEEN_MS = 60_000
/** Maximum time to send the last mails when the gateway stops. */
const CLOSING_MS = 3000
const TRIES_MAX = 5
const LINES_MAX = 1000
/** Maximum number of unsent changes. Further changes are only logged. */
const WAITING_MAX = 10_000

/**
 * Sends mails in the background to all root users with an address, each in their own language. Tries each mail at most
 * five times, once a minute.
 */
export interface RootMails {
  /**
   * Mails a change after `gatherMs`, at least a minute after the last mail, so that one mail reports several changes.
   */
  reportChange(change: ChannelChange): void
  /** Sends a mail to each root user. `letterIn` returns the mail in a language. */
  send(letterIn: (language: Language) => Letter): void
  /** Tries once more to send all waiting mails, without further retries. Takes at most three seconds. */
  close(): Promise<void>
}

export function createRootMails({
  mail,
  rootReceivers,
  noticedAddresses = async () => new Set(),
  onFailure,
  gatherMs = GATHER_MS,
  betweenMs = BETWEEN_MS,
}: {
  mail: Mail
  rootReceivers: () => Promise<readonly MailReceiver[]>
  /** Addresses that already get a notice of this event by mail, in lower case. */
  noticedAddresses?: (event: 'channel.disabled' | 'channel.enabled') => Promise<ReadonlySet<string>>
  /** Called when a mail has finally failed. The error contains no address. */
  onFailure: (error: unknown) => void
  gatherMs?: number
  betweenMs?: number
}): RootMails {
  const changes: ChannelChange[] = []
  const letters: ((language: Language) => Letter)[] = []
  let outbox: (MailMessage & { tries: number })[] = []
  let timer: NodeJS.Timeout | undefined
  let sentAt = Number.NEGATIVE_INFINITY
  let sending: Promise<void> = Promise.resolve()
  let isClosed = false

  const hasWaitingMails = () => changes.length + letters.length + outbox.length > 0

  function scheduleFlush(): void {
    if (timer) return
    const wait = Math.max(gatherMs, sentAt + betweenMs - performance.now())
    timer = setTimeout(flush, wait).unref()
  }

  /** Sends the mails after the previous call has ended, so that no mail is sent twice. */
  function flush(): void {
    sentAt = performance.now()
    sending = sending
      .then(sendAll)
      .catch(onFailure)
      .finally(() => {
        timer = undefined
        if (hasWaitingMails() && !isClosed) scheduleFlush()
      })
  }

  async function sendAll(): Promise<void> {
    if (changes.length + letters.length > 0) {
      // Read before removing the changes from the list, so that the changes stay in the list if a read fails.
      const receivers = await rootReceivers()
      const [disabled, enabled] = await Promise.all([
        noticedAddresses('channel.disabled'),
        noticedAddresses('channel.enabled'),
      ])
      const reportedChanges = changes.splice(0, LINES_MAX)
      const otherLetters = letters.splice(0)
      for (const { email: to, language } of receivers) {
        const userChanges = reportedChanges.filter(
          ({ event }) => !(isEnabled(event) ? enabled : disabled).has(to.toLowerCase()),
        )
        const newLetters = otherLetters.map((letterIn) => letterIn(language))
        if (userChanges.length > 0) newLetters.push(channelLetter(userChanges, language))
        outbox.push(...newLetters.map((letter) => ({ ...letter, to, tries: 0 })))
      }
    }
    const due = outbox
    outbox = []
    for (const message of due) if (await trySend(message)) outbox.push({ ...message, tries: message.tries + 1 })
  }

  /** Tries a mail once. Returns whether to retry it. */
  async function trySend({ tries, ...message }: MailMessage & { tries: number }): Promise<boolean> {
    try {
      await mail.send(message)
      return false
    } catch (error) {
      // Without a mail server, changes are reported only in the log.
      if (error instanceof GatewayError && error.code === 'MAIL_UNCONFIGURED') return false
      if (!isClosed && tries + 1 < TRIES_MAX && mailOutcomeOf((error as Error).cause) === 'not-sent') return true
      onFailure(error)
      return false
    }
  }

  return {
    reportChange(change) {
      if (changes.length < WAITING_MAX) changes.push(change)
      scheduleFlush()
    },
    send(letterIn) {
      letters.push(letterIn)
      scheduleFlush()
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      if (hasWaitingMails()) flush()
      await Promise.race([sending, sleep(CLOSING_MS, undefined, { ref: false })])
    },
  }
}

function isEnabled(event: ChannelChange['event']): boolean {
  return event === 'enabled' || event === 'key-enabled'
}
