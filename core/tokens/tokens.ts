import { type Actor, ROLE, requireRole } from '../actor.ts'
import { recordChange } from '../changes/changes.ts'
import type { Follower } from '../changes/follower.ts'
import type { Database } from '../db/database.ts'
import { NEWEST_FIRST, readPage } from '../db/page.ts'
import { GatewayError } from '../errors.ts'
import { commaList, oneOf, type Page, type Paging, QUOTA_MAX, quotaAmount, textOf, wholeNumber } from '../input.ts'
import { randomAlphanumerics, type Secrets } from '../secrets.ts'
import { checkAddresses } from './addresses.ts'
import { KEY_LENGTH, NEVER, type NewToken, TOKEN_COLUMNS, TOKEN_STATUS, type Token } from './token.ts'

/**
 * API keys. Everybody sees only their own: somebody else's is not found. Root may manage everybody's, but reads only the
 * own keys: of another user's token, `key` is empty once `create` has answered it.
 */
export interface Tokens {
  /** Throws FIELD_*, TOKEN_NAME_TAKEN. `ownerId`: for another user, by administrators only. */
  create(actor: Actor, token: NewToken, ownerId?: number): Promise<Token>
  /** Throws TOKEN_NOT_FOUND. */
  get(actor: Actor, id: number): Promise<Token>
  /** Newest first. Root may list everybody's with `ownerId` 0, and another user's with that id. */
  list(actor: Actor, query?: Paging & { keyword?: string; ownerId?: number }): Promise<Page<Token>>
  /** Throws TOKEN_NOT_FOUND, TOKEN_ENABLE_EXPIRED, TOKEN_ENABLE_EXHAUSTED. */
  setStatus(actor: Actor, id: number, status: number): Promise<Token>
  /** Writes down what a relay found: that a token has expired, or that its budget is used up. */
  recordUnusable(id: number): Promise<void>
  /** Soft: log rows keep the id, the key is gone for good. Throws TOKEN_NOT_FOUND. */
  delete(actor: Actor, id: number): Promise<void>
}

export function createTokens({
  db,
  secrets,
  follower,
  now,
}: {
  db: Database
  secrets: Secrets
  follower: Follower
  now: () => number
}): Tokens {
  const toToken = (actor: Actor, row: Token): Token => ({
    ...row,
    key: row.user_id === actor.id ? secrets.open(row.key) : '',
    unlimited_quota: Boolean(row.unlimited_quota),
    model_limits_enabled: Boolean(row.model_limits_enabled),
  })

  /** The rows an actor may see: the own ones; for root, all. */
  const visible = (actor: Actor) =>
    db
      .reader('tokens')
      .whereNull('deleted_at')
      .modify((query) => void (actor.role < ROLE.root && query.where({ user_id: actor.id })))

  async function find(actor: Actor, id: number): Promise<Token> {
    const [row] = await visible(actor)
      .where({ id })
      .select(...TOKEN_COLUMNS)
    if (!row) throw new GatewayError('TOKEN_NOT_FOUND', { id })
    return toToken(actor, row)
  }

  return {
    async create(actor, input, ownerId = actor.id) {
      if (ownerId !== actor.id) requireRole(actor, ROLE.root)
      const row = checkToken(input, now())
      const key = randomAlphanumerics(KEY_LENGTH)
      const id = await db.transaction(async (trx) => {
        const owner = await trx('users').where({ id: ownerId }).whereNull('deleted_at').forUpdate().first('id')
        if (!owner) throw new GatewayError('USER_NOT_FOUND', { id: ownerId })
        if (await trx('tokens').where({ user_id: ownerId, name: row.name }).whereNull('deleted_at').first('id')) {
          throw new GatewayError('TOKEN_NAME_TAKEN', { name: row.name })
        }
        const stored = {
          ...row,
          user_id: ownerId,
          key: secrets.seal(key),
          key_hash: secrets.digest(key),
          created_time: now(),
          accessed_time: now(),
        }
        const [created] = (await trx('tokens').insert(stored).returning('id')) as [{ id: number }]
        await recordChange(trx, 'token', [created.id])
        return created.id
      })
      await follower.catchUp()
      return { ...(await find(actor, id)), key }
    },

    get: find,

    async list(actor, query = {}) {
      const { keyword, ownerId = actor.id } = query
      if (ownerId !== actor.id) requireRole(actor, ROLE.root)
      const matching = visible(actor).modify((where) => {
        if (ownerId) where.where({ user_id: ownerId })
        if (keyword) where.whereLike('name', `%${keyword}%`)
      })
      const page = await readPage<Token>(matching, query, { columns: TOKEN_COLUMNS, order: NEWEST_FIRST })
      return { ...page, items: page.items.map((row) => toToken(actor, row)) }
    },

    async setStatus(actor, id, status) {
      oneOf('status', status, [TOKEN_STATUS.enabled, TOKEN_STATUS.disabled])
      const token = await find(actor, id)
      if (status === TOKEN_STATUS.enabled) {
        if (token.expired_time !== NEVER && token.expired_time <= now()) throw new GatewayError('TOKEN_ENABLE_EXPIRED')
        if (token.remain_quota <= 0 && !token.unlimited_quota) throw new GatewayError('TOKEN_ENABLE_EXHAUSTED')
      }
      await db.transaction(async (trx) => {
        await trx('tokens').where({ id }).update({ status })
        await recordChange(trx, 'token', [id])
      })
      await follower.catchUp()
      return find(actor, id)
    },

    async recordUnusable(id) {
      const enabled = { id, status: TOKEN_STATUS.enabled }
      const changed = await db.transaction(async (trx) => {
        const expired = await trx('tokens')
          .where(enabled)
          .where('expired_time', '!=', NEVER)
          .where('expired_time', '<=', now())
          .update({ status: TOKEN_STATUS.expired })
        const exhausted = await trx('tokens')
          .where({ ...enabled, unlimited_quota: false })
          .where('remain_quota', '<=', 0)
          .update({ status: TOKEN_STATUS.exhausted })
        if (expired + exhausted) await recordChange(trx, 'token', [id])
        return expired + exhausted
      })
      if (changed) await follower.catchUp()
    },

    async delete(actor, id) {
      await find(actor, id)
      await db.transaction(async (trx) => {
        await trx('tokens')
          .where({ id })
          .update({ deleted_at: new Date(now() * 1000).toISOString() })
        await recordChange(trx, 'token', [id])
      })
      await follower.catchUp()
    },
  }
}

const NAME_LENGTH_MAX = 30

function checkToken(input: NewToken, now: number) {
  const unlimited_quota = input.unlimited_quota ?? false
  const expired_time = wholeNumber('expired_time', input.expired_time ?? NEVER, { min: NEVER, max: QUOTA_MAX })
  if (expired_time !== NEVER && expired_time <= now) {
    throw new GatewayError('FIELD_RANGE', {
      field: 'expired_time',
      min: now,
      max: 'any later time, or -1 for never',
      value: expired_time,
    })
  }
  const models = commaList(input.model_limits ?? '')
  return {
    name: textOf('name', input.name, { min: 1, max: NAME_LENGTH_MAX }),
    expired_time,
    remain_quota: quotaAmount('remain_quota', input.remain_quota ?? 0),
    unlimited_quota,
    model_limits_enabled: input.model_limits_enabled ?? models.length > 0,
    model_limits: models.join(','),
    allow_ips: checkAddresses(input.allow_ips ?? ''),
    group: textOf('group', input.group ?? '', { min: 0, max: 64 }),
  }
}
