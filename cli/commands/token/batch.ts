import type { Actor } from '../../../core/actor.ts'
import { GatewayError } from '../../../core/errors.ts'
import { randomAlphanumerics } from '../../../core/secrets.ts'
import { NAME_LENGTH_MAX } from '../../../core/tokens/checks.ts'
import type { NewToken, Token } from '../../../core/tokens/token.ts'
import type { Cli } from '../../cli.ts'
import { CommandError, DetailedError } from '../../errors.ts'
import { isOutcomeUnknown, withRetry } from '../../run/retry.ts'
import type { CommandToolkit } from '../../toolkit.ts'
import type { TokenLimit } from './fields.ts'
import { limitTokens } from './limit-tokens.ts'

const SUFFIX_LENGTH = 6
/** Maximum time for attempts to delete a key whose limits could not be set. */
const DISCARD_MS = 10_000

interface Batch {
  token: NewToken
  limits: readonly TokenLimit[]
  count: number
  ownerId: number
  teamId?: number | undefined
}

/**
 * Creates tokens that differ only in name and key, sets their limits, and reports each token. Throws errors of `create`
 * and `Limits.set`, and INTERRUPTED between two tokens.
 */
export async function createManyTokens(
  { cli, toolkit, actor }: { cli: Cli; toolkit: CommandToolkit; actor: Actor },
  { token, limits, count, ownerId, teamId }: Batch,
  onCreated: (made: Token) => void,
): Promise<void> {
  const longest = [...token.name.trim()].length + (count > 1 ? 1 + SUFFIX_LENGTH : 0)
  if (longest > NAME_LENGTH_MAX) throw new GatewayError('TOKEN_NAME_TOO_LONG')
  const create = (newToken: NewToken) =>
    teamId === undefined
      ? toolkit.tokens.create(actor, newToken, { ownerId })
      : toolkit.teams.keys.create(actor, teamId, newToken)
  const discard = (id: number) =>
    teamId === undefined ? toolkit.tokens.delete(actor, id) : toolkit.teams.keys.delete(actor, teamId, id)
  const signal = cli.interruption()
  let made = 0
  let isLost = false
  let unlimited: number | undefined

  /** Sets the limits of a new key. If the limits cannot be set, deletes the key and throws the error. */
  async function limitOrDiscard(id: number): Promise<void> {
    if (limits.length === 0) return
    try {
      await withRetry(cli, { signal, repeatable: true }, () => limitTokens(toolkit, actor, { ids: [id], limits }))
    } catch (error) {
      // Waits even after Ctrl-C and with --no-wait, because a key without limits is worse than a short wait.
      const retryOptions = { signal: AbortSignal.timeout(DISCARD_MS), repeatable: true }
      await withRetry({ note: (text) => cli.note(text), t: cli.t }, retryOptions, () => discard(id)).catch(() => {
        unlimited = id
      })
      throw error
    }
  }

  try {
    for (; made < count; made += 1) {
      const name = made === 0 ? token.name : `${token.name.trim()}-${randomAlphanumerics(SUFFIX_LENGTH)}`
      // The call is not repeatable, because a retry after a lost reply could create a second token.
      const retryOptions = { signal, repeatable: false }
      const created = await withRetry(cli, retryOptions, () => create({ ...token, name })).catch((error) => {
        isLost = isOutcomeUnknown(error)
        throw error
      })
      // Sets the limits before the key is shown, because the user can use the key at once.
      await limitOrDiscard(created.id)
      onCreated(created)
    }
  } catch (error) {
    const details = { made, ...(unlimited !== undefined && { unlimited_token: unlimited }) }
    if (unlimited !== undefined && !cli.json) {
      const words = teamId === undefined ? 'token delete' : `team delete-key ${teamId}`
      cli.note(cli.t('token.tokenMayHaveNoLimits', { unlimited, words }))
    }
    if (signal.aborted) {
      const state = isLost
        ? cli.t('token.interruptedCreatedAtLeast', { made, count })
        : cli.t('token.interruptedCreatedOfKeys', { made, count })
      throw new DetailedError(new CommandError('INTERRUPTED', state), details)
    }
    if (count > 1 && !cli.json)
      cli.note(
        isLost ? cli.t('token.createdAtLeastOfKeys', { made, count }) : cli.t('token.createdOfKeys', { made, count }),
      )
    throw new DetailedError(error, details)
  }
}
