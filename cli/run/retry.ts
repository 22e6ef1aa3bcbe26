import { setTimeout as sleep } from 'node:timers/promises'
import type { Cli } from '../cli.ts'
import { CommandError } from '../errors.ts'
import { secondsToWait } from '../remote/rate-limit.ts'

const WAITS_MAX = 10
const WAIT_MAX_S = 600
/** Delays before retries, about five seconds in total, which is enough for a server restart. */
const LOST_DELAYS_MS = [200, 400, 800, 1600, 3000]
/** Signal for callers without their own signal. Ctrl-C then ends the process. */
const NEVER = new AbortController().signal
/** Maximum time that the running call has to end after Ctrl-C. */
const LAST_CALL_MS = 3000

/** Prints notes about waits. Without `remainingMs`, waits are unlimited. With `noWait`, rate-limited calls fail. */
export type RetryContext = Pick<Cli, 'note' | 't'> & Partial<Pick<Cli, 'remainingMs' | 'noWait'>>

/**
 * Makes one call of a command. Waits for rate limits. With `repeatable`, also retries a few times after lost
 * connections and server failures. Throws the last error. After an abort, throws the signal's reason, or CallUnfinished
 * if the running call does not end in time.
 */
export async function withRetry<T>(
  cli: RetryContext,
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
      if (seconds !== undefined && waits < WAITS_MAX && (await waitForRetry(cli, seconds, signal))) {
        waits += 1
      } else if (repeatable && delayMs !== undefined && isReplyLost(error) && cli.remainingMs?.() !== 0) {
        losses += 1
        await sleep(delayMs * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => signal.throwIfAborted())
      } else {
        throw error
      }
    }
  }
}

/**
 * Prints a note and waits as long as the server requests. Returns false without a wait if --no-wait is set, or if the
 * wait would exceed the maximum or --timeout. Throws the signal's reason after an abort.
 */
export async function waitForRetry(cli: RetryContext, seconds: number, signal: AbortSignal = NEVER): Promise<boolean> {
  if (cli.noWait || seconds > WAIT_MAX_S || seconds * 1000 > (cli.remainingMs?.() ?? Number.POSITIVE_INFINITY))
    return false
  cli.note(cli.t('token.theServerAsksToWaitS', { seconds }))
  await sleep(seconds * 1000, undefined, { signal }).catch(() => signal.throwIfAborted())
  return true
}

/** Yields the parts of an export. Waits for rate limits only at the start, which is all that servers limit. */
export async function* withRetryInParts<T>(
  cli: RetryContext,
  signal: AbortSignal,
  read: () => AsyncIterable<T>,
): AsyncGenerator<T> {
  const { first, batches } = await withRetry(cli, { signal, repeatable: false }, async () => {
    const batches = read()[Symbol.asyncIterator]()
    return { first: await batches.next(), batches }
  })
  try {
    for (let next = first; !next.done; next = await batches.next()) yield next.value
  } finally {
    await batches.return?.()
  }
}

/** Error for a running call that did not end in time after an abort. */
class CallUnfinished extends Error {}

/** Whether the outcome of the last call is unknown. */
export const isOutcomeUnknown = (error: unknown): boolean => error instanceof CallUnfinished || isReplyLost(error)

function isReplyLost(error: unknown): boolean {
  return error instanceof CommandError && (error.code === 'SERVER_UNREACHABLE' || error.code === 'SERVER_BROKEN')
}

/**
 * Waits for the running call. After an abort, waits some more time, so that the result of the call becomes known, then
 * throws CallUnfinished.
 */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const callEnd = new AbortController()
  const limit = new Promise<never>((_, reject) => {
    const startTimeout = () =>
      sleep(LAST_CALL_MS, undefined, { signal: callEnd.signal }).then(
        () => reject(new CallUnfinished()),
        () => {},
      )
    signal.addEventListener('abort', () => void startTimeout(), { once: true, signal: callEnd.signal })
  })
  try {
    return await Promise.race([work, limit])
  } finally {
    callEnd.abort()
  }
}
