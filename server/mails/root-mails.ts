import { setTimeout as sleep } from 'node:timers/promises'
import type { MailReceiver } from '../../core/accounts/accounts.ts'
import type { ChannelChange } from '../../core/channels/status/status-change.ts'
import { GatewayError } from '../../core/errors.ts'
import { fateOf } from '../../core/mail/failure.ts'
import { channelLetter, type Letter } from '../../core/mail/letters.ts'
import type { Mail, Message } from '../../core/mail/mail.ts'
import type { Language } from '../../core/messages/language.ts'

/** Delay that collects related changes in one mail. */
const GATHER_MS = 1000
const BETWEEN_MS = 60_000
/** A mail server that does not reply must not delay the gateway's stop. */
const CLOSING_MS = 3000
const TRIES_MAX = 5
const LINES_MAX = 1000
/** More than bursts of changes cause; further changes are only logged. */
const WAITING_MAX = 10_000

/** Mails all root users that have an address, each in the own language, in the background. Failed mails are retried every minute, at most five times. */
export interface RootMails {
  /** Reports a change in one mail, immediately or with all others of the minute. */
  tell(change: ChannelChange): void
  send(letterIn: (language: Language) => Letter): void
  /** Sends what waits, once, for a few seconds at most. */
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
  /** Addresses that get a notice of the same event by mail, in lower case. */
  noticedAddresses?: (event: 'channel.disabled' | 'channel.enabled') => Promise<ReadonlySet<string>>
  /** Called when a mail is given up; the reason contains no address. */
  onFailure: (error: unknown) => void
  gatherMs?: number
  betweenMs?: number
}): RootMails {
  const changes: ChannelChange[] = []
  const letters: ((language: Language) => Letter)[] = []
  let outbox: (Message & { tries: number })[] = []
  let timer: NodeJS.Timeout | undefined
  let sentAt = Number.NEGATIVE_INFINITY
  let sending: Promise<void> = Promise.resolve()
  let closed = false

  function wake(): void {
    if (timer) return
    const wait = Math.max(gatherMs, sentAt + betweenMs - performance.now())
    timer = setTimeout(flush, wait).unref()
  }

  /** One flush at a time, so that no mail is sent twice. */
  function flush(): void {
    sentAt = performance.now()
    sending = sending
      .then(work)
      .catch(onFailure)
      .finally(() => {
        timer = undefined
        if (changes.length + letters.length + outbox.length > 0 && !closed) wake()
      })
  }

  async function work(): Promise<void> {
    if (changes.length + letters.length > 0) {
      // First: an item removed before it fails is not reported.
      const receivers = await rootReceivers()
      const [disabled, enabled] = await Promise.all([
        noticedAddresses('channel.disabled'),
        noticedAddresses('channel.enabled'),
      ])
      const told = changes.splice(0, LINES_MAX)
      const others = letters.splice(0)
      for (const { email: to, language } of receivers) {
        const own = told.filter(({ event }) => !(isEnabled(event) ? enabled : disabled).has(to.toLowerCase()))
        const fresh = others.map((letterIn) => letterIn(language))
        if (own.length > 0) fresh.push(channelLetter(own, language))
        outbox.push(...fresh.map((letter) => ({ ...letter, to, tries: 0 })))
      }
    }
    const due = outbox
    outbox = []
    for (const message of due) if (await fails(message)) outbox.push({ ...message, tries: message.tries + 1 })
  }

  /** Sends a message. Returns whether to retry it. */
  async function fails({ tries, ...message }: Message & { tries: number }): Promise<boolean> {
    try {
      await mail.send(message)
      return false
    } catch (error) {
      // Without a mail server nothing is sent; the log contains the changes.
      if (error instanceof GatewayError && error.code === 'MAIL_UNCONFIGURED') return false
      if (tries + 1 < TRIES_MAX && fateOf((error as Error).cause) === 'not-sent') return true
      onFailure(error)
      return false
    }
  }

  return {
    tell(change) {
      if (changes.length < WAITING_MAX) changes.push(change)
      wake()
    },
    send(letterIn) {
      letters.push(letterIn)
      wake()
    },
    async close() {
      closed = true
      clearTimeout(timer)
      if (changes.length + letters.length > 0) flush()
      await Promise.race([sending, sleep(CLOSING_MS, undefined, { ref: false })])
    },
  }
}

function isEnabled(event: ChannelChange['event']): boolean {
  return event === 'enabled' || event === 'key-enabled'
}
