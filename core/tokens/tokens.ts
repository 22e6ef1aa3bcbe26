import type { Knex } from 'knex'
import { type Actor, ROLE, requireRole } from '../actor.ts'
import type { AuditAction } from '../audit/actions.ts'
import type { Audit } from '../audit/audit.ts'
import { recordChange } from '../changes/changes.ts'
import type { Follower } from '../changes/follower.ts'
import type { Database } from '../db/database.ts'
import { whereContains } from '../db/like.ts'
import { NEWEST_FIRST, readPage } from '../db/page.ts'
import { GatewayError } from '../errors.ts'
import { groupExists, mayUseGroup } from '../groups/groups.ts'
import { oneOf, type Page, type Paging } from '../input.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Options } from '../options/options.ts'
import type { Secrets } from '../secrets.ts'
import { checkChanges, checkToken, checkUsable, foundUnusable } from './checks.ts'
import { insertToken } from './insert.ts'
import { KEY_LENGTH, KEY_PREFIX, NEVER, type NewToken, TOKEN_COLUMNS, TOKEN_STATUS, type Token } from './token.ts'

/**
 * API keys. Everybody sees only their own: somebody else's is not found. Root may manage everybody's, but reads only the
 * own keys: of another user's token, `key` is empty once `create` has answered it.
 */
export interface Tokens {
  /** Throws TOKEN_NAME_TOO_LONG, TOKEN_NAME_TAKEN, GROUP_NOT_ALLOWED, FIELD_*. */
  create(actor: Actor, token: NewToken, options?: CreateOptions): Promise<Token>
  /** Throws TOKEN_NOT_FOUND. */
  get(actor: Actor, id: number): Promise<Token>
  /** Newest first. Root may list everybody's with `ownerId` 0, and another user's with that id. */
  list(actor: Actor, query?: Paging & { keyword?: string; ownerId?: number }): Promise<Page<Token>>
  /**
   * The actor's own tokens whose name has `keyword` in it and whose key has `key` in it, newest first. A whole key is
   * found always; a part of one, and no part, among the newest 1000 of that name.
   */
  search(actor: Actor, query: { keyword?: string; key?: string }): Promise<Token[]>
  /**
   * Changes what is given. The status stays, but `status` enabled is refused as `setStatus` refuses it for a token that
   * a relay found expired or used up: an edit must repair it first, and a second one enable it. Throws what `create`
   * and `setStatus` throw.
   */
  update(actor: Actor, id: number, changes: Partial<NewToken> & { status?: number }): Promise<Token>
  /** Throws TOKEN_NOT_FOUND, TOKEN_ENABLE_EXPIRED, TOKEN_ENABLE_EXHAUSTED. */
  setStatus(actor: Actor, id: number, status: number): Promise<Token>
  /** Writes down what a relay found: that a token has expired, or that its budget is used up. */
  recordUnusable(id: number): Promise<void>
  /** Soft: log rows keep the id, the key is gone for good. Throws TOKEN_NOT_FOUND. */
  delete(actor: Actor, id: number): Promise<void>
}

export interface CreateOptions {
  /** For another user, by root only. */
  ownerId?: number
  /** Whether a name that the owner has given already is refused; so it is unless told otherwise. */
  uniqueName?: boolean
}

/** How many tokens a search looks through, and answers at most. */
const SEARCHED_MAX = 1000

export function createTokens({
  db,
  secrets,
  ledger,
  options,
  follower,
  audit,
  now,
}: {
  db: Database
  secrets: Secrets
  ledger: Ledger
  options: Options
  follower: Follower
  audit: Audit
  now: () => number
}): Tokens {
  const toToken = (actor: Actor, row: Token): Token => ({
    ...row,
    key: row.user_id === actor.id ? secrets.open(row.key) : '',
    unlimited_quota: Boolean(row.unlimited_quota),
    model_limits_enabled: Boolean(row.model_limits_enabled),
    store_responses: Boolean(row.store_responses),
  })

  /** The rows an actor may see: the own ones; for root, all. */
  const visible = (actor: Actor, connection: Knex = db.reader) =>
    connection('tokens')
      .whereNull('deleted_at')
      .modify((query) => void (actor.role < ROLE.root && query.where({ user_id: actor.id })))

  async function find(actor: Actor, id: number): Promise<Token> {
    const [row] = await visible(actor)
      .where({ id })
      .select(...TOKEN_COLUMNS)
    if (!row) throw new GatewayError('TOKEN_NOT_FOUND', { id })
    return toToken(actor, row)
  }

  /** Changes a token on the ground of what its locked row says. */
  async function change(
    actor: Actor,
    id: number,
    action: AuditAction,
    work: (trx: Knex.Transaction, stored: Token) => Promise<void>,
  ) {
    await db.transaction(async (trx) => {
      const [stored] = await visible(actor, trx)
        .where({ id })
        .forUpdate()
        .select(...TOKEN_COLUMNS)
      if (!stored) throw new GatewayError('TOKEN_NOT_FOUND', { id })
      const edit = async () => {
        await work(trx, toToken(actor, stored))
        await recordChange(trx, 'token', [id])
      }
      if (stored.user_id === actor.id) return edit()
      await audit.around(trx, { actor, action, kind: 'token', rows: (rows) => rows.where({ id }) }, edit)
    })
    await follower.catchUp()
  }

  function checkGroup(group: string, { own, isAdmin }: { own: string; isAdmin: boolean }): void {
    if (group === '' || (mayUseGroup(options, { own, wanted: group }) && groupExists(options, group))) return
    // Administrators know all groups.
    if (isAdmin && !groupExists(options, group)) throw new GatewayError('GROUP_NOT_FOUND', { group })
    throw new GatewayError('GROUP_NOT_ALLOWED', { group })
  }

  async function withOwners(tokens: readonly Token[]): Promise<Token[]> {
    const ids = [...new Set(tokens.map(({ user_id }) => user_id))]
    const users: { id: number; username: string }[] = await db
      .reader('users')
      .whereIn('id', ids)
      .select('id', 'username')
    const names = new Map(users.map(({ id, username }) => [id, username]))
    return tokens.map((token) => ({ ...token, username: names.get(token.user_id) ?? '' }))
  }

  return {
    async create(actor, input, { ownerId = actor.id, uniqueName = true } = {}) {
      if (ownerId !== actor.id) requireRole(actor, ROLE.root)
      const row = checkToken(input, now())
      const { id, key } = await db.transaction(async (trx) => {
        const owner = await trx('users')
          .where({ id: ownerId })
          .whereNull('deleted_at')
          .forUpdate()
          .first('group', 'role')
        if (!owner) throw new GatewayError('USER_NOT_FOUND', { id: ownerId })
        checkGroup(row.group, { own: owner.group, isAdmin: owner.role >= ROLE.admin })
        const taken = { user_id: ownerId, name: row.name }
        if (uniqueName && (await trx('tokens').where(taken).whereNull('deleted_at').first('id'))) {
          throw new GatewayError('TOKEN_NAME_TAKEN', { name: row.name })
        }
        const insert = () => insertToken(trx, { secrets, now }, { ownerId, row })
        if (ownerId === actor.id) return insert()
        return audit.around(trx, { actor, action: 'token.create', kind: 'token' }, insert, (made) => [made.id])
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
        if (keyword) whereContains(where, 'name', keyword)
      })
      const page = await readPage<Token>(matching, query, { columns: TOKEN_COLUMNS, order: NEWEST_FIRST })
      const items = page.items.map((row) => toToken(actor, row))
      return { ...page, items: ownerId === actor.id ? items : await withOwners(items) }
    },

    async search(actor, { keyword = '', key = '' }) {
      const part = key.startsWith(KEY_PREFIX) ? key.slice(KEY_PREFIX.length) : key
      const rows: Token[] = await visible(actor)
        .where({ user_id: actor.id })
        .modify((where) => {
          if (keyword) whereContains(where, 'name', keyword)
          if (part.length === KEY_LENGTH) where.where({ key_hash: secrets.digest(part) })
        })
        .orderBy(NEWEST_FIRST)
        .limit(SEARCHED_MAX)
        .select(...TOKEN_COLUMNS)
      // Keys are sealed: which of them a part is of, only their openings tell.
      return rows.map((row) => toToken(actor, row)).filter((token) => token.key.includes(part))
    },

    async update(actor, id, { status, ...changes }) {
      await change(actor, id, 'token.update', async (trx, stored) => {
        if (status === TOKEN_STATUS.enabled && foundUnusable(stored)) checkUsable(stored, now())
        const { remain_quota, ...row } = checkChanges(stored, changes, now())
        if (row.group) {
          const owner = await trx('users').where({ id: stored.user_id }).first('group', 'role')
          checkGroup(row.group, { own: owner?.group, isAdmin: owner?.role >= ROLE.admin })
        }
        if (Object.keys(row).length) await trx('tokens').where({ id }).update(row)
        if (remain_quota !== undefined) await ledger.setBudget(trx, { tokenId: id, quota: remain_quota })
      })
      return find(actor, id)
    },

    async setStatus(actor, id, status) {
      oneOf('status', status, [TOKEN_STATUS.enabled, TOKEN_STATUS.disabled])
      await change(actor, id, 'token.status', async (trx, stored) => {
        if (status === TOKEN_STATUS.enabled) checkUsable(stored, now())
        await trx('tokens').where({ id }).update({ status })
      })
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

    delete: (actor, id) =>
      change(actor, id, 'token.delete', async (trx) => {
        const deleted_at = new Date(now() * 1000).toISOString()
        await trx('tokens').where({ id }).update({ deleted_at })
      }),
  }
}
