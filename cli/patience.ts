import { setTimeout as sleep } from 'node:timers/promises'
import { GatewayError } from '../core/errors.ts'
import type { Cli } from './cli.ts'
import { CommandError } from './errors.ts'

const WAITS_MAX = 10
const WAIT_MAX_S = 600
/** For a server that counts calls and does not say when to come back. */
const WAIT_DEFAULT_S = 30
/** Together some five seconds: a server that is started anew is back by then. */
const LOST_DELAYS_MS = [200, 400, 800, 1600, 3000]
/** Where Ctrl-C ends the process: nothing is changed yet. */
const NEVER = new AbortController().signal
/** How long a call that was under way may take to end after Ctrl-C. */
const LAST_CALL_MS = 3000

/** Where waits are reported; `remainingMs` absent: they have no limit of their own. */
export type Patience = Pick<Cli, 'note' | 'say'> & Partial<Pick<Cli, 'remainingMs'>>

/**
 * One of many calls: waits when the server counts too many, and with `repeatable` tries again when the connection or the server
 * was lost on the way, a few times. Throws what the last try did; soon after the signal is aborted its reason, or what `answerLost` knows.
 */
export async function patiently<T>(
  cli: Patience,
  { signal = NEVER, repeatable }: { signal?: AbortSignal; repeatable: boolean },
  work: () => Promise<T> | T,
): Promise<T> {
  let waits = 0
  let losses = 0
  for (;;) {
    signal.throwIfAborted()
    try {
      return await orAborted(Promise.resolve(work()), signal)
    } catch (error) {
      const seconds = secondsToWait(error)
      const delayMs = LOST_DELAYS_MS[losses]
      if (seconds !== undefined && waits < WAITS_MAX && (await waitTurn(cli, seconds, signal))) {
        waits += 1
      } else if (repeatable && delayMs !== undefined && isLoss(error) && cli.remainingMs?.() !== 0) {
        losses += 1
        await sleep(delayMs * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => signal.throwIfAborted())
      } else {
        throw error
      }
    }
  }
}

/** Waits as a server asked for, and says so. False: it asked for too long, or for longer than --timeout allows. Throws the reason of the signal. */
export async function waitTurn(cli: Patience, seconds: number, signal: AbortSignal = NEVER): Promise<boolean> {
  if (seconds > WAIT_MAX_S || seconds * 1000 > (cli.remainingMs?.() ?? Number.POSITIVE_INFINITY)) return false
  cli.note(cli.say`The server asks to wait ${seconds} s before the next call.`)
  await sleep(seconds * 1000, undefined, { signal }).catch(() => signal.throwIfAborted())
  return true
}

/** Batches of which the first is waited for: a server makes few exports at once. Throws what reading throws. */
export async function* patientBatches<T>(
  cli: Patience,
  signal: AbortSignal,
  read: () => AsyncIterable<T>,
): AsyncGenerator<T> {
  const { first, batches } = await patiently(cli, { signal, repeatable: false }, async () => {
    const batches = read()[Symbol.asyncIterator]()
    return { first: await batches.next(), batches }
  })
  try {
    for (let next = first; !next.done; next = await batches.next()) yield next.value
  } finally {
    await batches.return?.()
  }
}

function secondsToWait(error: unknown): number | undefined {
  if (error instanceof CommandError && error.code === 'SERVER_BUSY') return WAIT_DEFAULT_S
  if (!(error instanceof GatewayError && error.code === 'RATE_LIMITED')) return undefined
  return Math.max(1, Number(error.params.retryAfterSeconds ?? WAIT_DEFAULT_S))
}

/** The call under way did not end in time. */
class LastAnswerLost extends Error {}

/** Whether nobody knows what the last call did. */
export const answerLost = (error: unknown): boolean => error instanceof LastAnswerLost || isLoss(error)

function isLoss(error: unknown): boolean {
  return error instanceof CommandError && (error.code === 'SERVER_UNREACHABLE' || error.code === 'SERVER_BROKEN')
}

/** What is under way when Ctrl-C comes gets a moment to end, since its result is known then. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const over = new AbortController()
  const limit = new Promise<never>((_, reject) => {
    const giveUp = () =>
      sleep(LAST_CALL_MS, undefined, { signal: over.signal }).then(
        () => reject(new LastAnswerLost()),
        () => {},
      )
    signal.addEventListener('abort', () => void giveUp(), { once: true, signal: over.signal })
  })
  try {
    return await Promise.race([work, limit])
  } finally {
    over.abort()
  }
}
