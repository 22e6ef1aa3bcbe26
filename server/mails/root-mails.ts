import { setTimeout as sleep } from 'node:timers/promises'
import type { ChannelChange } from '../../core/channels/status-change.ts'
import { GatewayError } from '../../core/errors.ts'
import { fateOf } from '../../core/mail/failure.ts'
import { channelLetter, type Letter } from '../../core/mail/letters.ts'
import type { Mail, Message } from '../../core/mail/mail.ts'

/** So much later, what dies together is known together. */
const GATHER_MS = 1000
const BETWEEN_MS = 60_000
/** A mail server that does not answer must not keep the gateway from stopping. */
const CLOSING_MS = 3000
const TRIES_MAX = 5
const LINES_MAX = 1000
/** More than a flood of changes makes; beyond it they are in the log alone. */
const WAITING_MAX = 10_000

/** Mails to all root users that have an address. Nobody waits for them; what cannot be sent is tried again each minute, five times in all. */
export interface RootMails {
  /** Has a change mentioned once: at once, or with all others of the minute. */
  tell(change: ChannelChange): void
  send(letter: Letter): void
  /** Sends what waits, once, for a few seconds at most. */
  close(): Promise<void>
}

export function createRootMails({
  mail,
  rootAddresses,
  onFailure,
  gatherMs = GATHER_MS,
  betweenMs = BETWEEN_MS,
}: {
  mail: Mail
  rootAddresses: () => Promise<string[]>
  /** A mail that is given up; the reason names no address. */
  onFailure: (error: unknown) => void
  gatherMs?: number
  betweenMs?: number
}): RootMails {
  const changes: ChannelChange[] = []
  const letters: Letter[] = []
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

  /** One flush at a time: a mail must not be on its way twice. */
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
      // First: what is taken out before it fails is told to nobody.
      const addresses = await rootAddresses()
      const told = changes.splice(0, LINES_MAX)
      const fresh = [...letters.splice(0), ...(told.length > 0 ? [channelLetter(told)] : [])]
      outbox.push(...fresh.flatMap((letter) => addresses.map((to) => ({ ...letter, to, tries: 0 }))))
    }
    const due = outbox
    outbox = []
    for (const message of due) if (await fails(message)) outbox.push({ ...message, tries: message.tries + 1 })
  }

  /** Whether it is worth another try. */
  async function fails({ tries, ...message }: Message & { tries: number }): Promise<boolean> {
    try {
      await mail.send(message)
      return false
    } catch (error) {
      // Without a mail server there is nobody to tell; what happened is in the log.
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
    send(letter) {
      letters.push(letter)
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
