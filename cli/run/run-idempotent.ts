import { randomUUID } from 'node:crypto'
import type { Idempotency } from '../../core/idempotency.ts'
import type { Cli } from '../cli.ts'
import { DetailedError } from '../errors.ts'
import { isOutcomeUnknown, withRetry } from './retry.ts'

/**
 * Runs a change under the given or a generated idempotency key, so that the change can be retried after a lost
 * connection. Throws the last error. If the outcome of the change is unknown, the error contains the key.
 */
export async function runIdempotent<T>(
  cli: Cli,
  givenKey: string | undefined,
  change: (idempotency: Idempotency) => Promise<T> | T,
): Promise<T> {
  const key = givenKey ?? randomUUID()
  try {
    return await withRetry(cli, { repeatable: true }, () => change({ idempotencyKey: key }))
  } catch (error) {
    if (!isOutcomeUnknown(error)) throw error
    if (!cli.json) {
      cli.note(
        givenKey === undefined
          ? cli.t('general.itMayHaveSucceeded', { key })
          : cli.t('general.itMayHaveSucceededRunning'),
      )
    }
    throw new DetailedError(error, { idempotency_key: key })
  }
}
