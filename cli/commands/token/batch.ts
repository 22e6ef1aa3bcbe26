import type { Actor } from '../../../core/actor.ts'
import { GatewayError } from '../../../core/errors.ts'
import { randomAlphanumerics } from '../../../core/secrets.ts'
import { NAME_LENGTH_MAX } from '../../../core/tokens/checks.ts'
import type { NewToken, Token } from '../../../core/tokens/token.ts'
import type { Cli } from '../../cli.ts'
import { CommandError, DetailedError } from '../../errors.ts'
import { answerLost, patiently } from '../../patience.ts'
import type { CommandToolkit } from '../../toolkit.ts'

const SUFFIX_LENGTH = 6

/**
 * Makes so many tokens that differ in nothing but name and key, and tells of each. Throws what `create` throws, and INTERRUPTED
 * after a whole token.
 */
export async function createBatch(
  { cli, toolkit, actor }: { cli: Cli; toolkit: CommandToolkit; actor: Actor },
  { token, count, ownerId }: { token: NewToken; count: number; ownerId: number },
  told: (made: Token) => void,
): Promise<void> {
  const longest = [...token.name.trim()].length + (count > 1 ? 1 + SUFFIX_LENGTH : 0)
  if (longest > NAME_LENGTH_MAX) throw new GatewayError('TOKEN_NAME_TOO_LONG')
  const signal = cli.interruption()
  let made = 0
  try {
    for (; made < count; made += 1) {
      const name = made === 0 ? token.name : `${token.name.trim()}-${randomAlphanumerics(SUFFIX_LENGTH)}`
      // Whether an answer that was lost had made one, nobody would know.
      const how = { signal, repeatable: false }
      told(await patiently(cli, how, () => toolkit.tokens.create(actor, { ...token, name }, { ownerId })))
    }
  } catch (error) {
    const lost = answerLost(error)
    if (signal.aborted) {
      const state = lost
        ? cli.say`interrupted: at least ${made} of ${count} keys were made`
        : cli.say`interrupted: ${made} of ${count} keys were made`
      throw new DetailedError(new CommandError('INTERRUPTED', state), { made })
    }
    if (count > 1 && !cli.json)
      cli.note(
        lost ? cli.say`At least ${made} of ${count} keys were made.` : cli.say`${made} of ${count} keys were made.`,
      )
    throw new DetailedError(error, { made })
  }
}
