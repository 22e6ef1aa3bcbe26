import { randomUUID } from 'node:crypto'
import type { Idempotency } from '../core/idempotency.ts'
import type { Cli } from './cli.ts'
import { DetailedError } from './errors.ts'
import { answerLost, patiently } from './patience.ts'

/**
 * Makes a change that must not be made twice, under the key that was given or one of its own; so it can be asked for again when
 * the connection is lost on the way. Throws what the last try did, with the key.
 */
export async function once<T>(
  cli: Cli,
  given: string | undefined,
  change: (idempotency: Idempotency) => Promise<T> | T,
): Promise<T> {
  const key = given ?? randomUUID()
  try {
    return await patiently(cli, { repeatable: true }, () => change({ idempotencyKey: key }))
  } catch (error) {
    if (!answerLost(error)) throw error
    if (!cli.json) {
      cli.note(
        given === undefined
          ? cli.say`It may have been done. The same command with --idempotency-key ${key} does it, and not twice.`
          : cli.say`It may have been done. The same command again does it, and not twice.`,
      )
    }
    throw new DetailedError(error, { idempotency_key: key })
  }
}
