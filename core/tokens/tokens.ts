import type { Knex } from 'knex'
import { type Actor, ROLE, requireRole, USER_KIND } from '../actor.ts'
import type { AuditAction } from '../audit/actions.ts'
import type { Audit } from '../audit/audit.ts'
import { recordChange } from '../changes/changes.ts'
import type { Follower } from '../changes/follower.ts'
import type { Database } from '../db/database.ts'
import { whereContains } from '../db/like.ts'
import { NEWEST_FIRST, orderOf, readPage, type Sort } from '../db/page.ts'
import { GatewayError } from '../errors.ts'
import { groupExists, mayUseGroup } from '../groups/groups.ts'
import { oneOf, type Page, type Paging } from '../input.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { removeLimitsOfSubject } from '../limits/remove.ts'
import type { Options } from '../options/options.ts'
import type { Secrets } from '../secrets.ts'
import { roleIn } from '../teams/access.ts'
import { checkChanges, checkToken, checkUsable, wasFoundUnusable } from './checks.ts'
import { insertToken } from './insert.ts'
import { KEY_LENGTH, KEY_PREFIX, NEVER, type NewToken, TOKEN_ROW_COLUMNS, TOKEN_STATUS, type Token } from './token.ts'

/**
 * Manages API keys. Users see only their own tokens. Root may manage all tokens, but can read only its own keys. For
 * another user's token, only `create` returns the key.
 */
export interface Tokens {
  /** Creates a token. Throws TOKEN_NAME_TOO_LONG, TOKEN_NAME_TAKEN, GROUP_NOT_ALLOWED, FIELD_*. */
  create(actor: Actor, token: NewToken, options?: CreateOptions): Promise<Token>
  /** Returns a token. Throws TOKEN_NOT_FOUND. */
  get(actor: Actor, id: number): Promise<Token>
  /** Returns tokens, by default newest first. Only root may use `ownerId`: another user's id, or 0 for all tokens. */
  list(actor: Actor, query?: TokenQuery): Promise<Page<Token>>
  /**
   * Returns the actor's tokens whose name contains `keyword` and whose key contains `key`, newest first. A complete key
   * is always found. An incomplete key is searched only in the newest 1000 tokens whose name contains `keyword`.
   */
  search(actor: Actor, query: { keyword?: string; key?: string }): Promise<Token[]>
  /**
   * Updates a token. `status` is checked, but not stored. If a relay found the token expired or exhausted, and it still
   * is, `status: enabled` is rejected like in `setStatus`. A first edit must then fix the token, and a second
   * edit enable it. Throws like `create` and `setStatus`.
   */
  update(actor: Actor, id: number, changes: Partial<NewToken> & { status?: number }): Promise<Token>
  /** Enables or disables a token. Throws TOKEN_NOT_FOUND, TOKEN_ENABLE_*, FIELD_CHOICE. */
  setStatus(actor: Actor, id: number, status: number): Promise<Token>
  /** If an enabled token is expired or exhausted, stores this as its status. Relays call this. */
  recordUnusable(id: number): Promise<void>
  /** Deletes a token. Its key becomes invalid permanently, but its row stays for the log. Throws TOKEN_NOT_FOUND. */
  delete(actor: Actor, id: number): Promise<void>
}

export const TOKEN_SORTS = [
  'id',
  'name',
  'status',
  'used_quota',
  'remain_quota',
  'created_time',
  'accessed_time',
  'expired_time',
] as const

interface TokenQuery extends Paging, Sort<(typeof TOKEN_SORTS)[number]> {
  keyword?: string
  ownerId?: number
  /** Only team keys that this member created. */
  memberId?: number
}

interface CreateOptions {
  /** The owner of the token, if it is not the actor. Only for root. */
  ownerId?: number
  /** Whether to reject a name that the owner already uses. Default: true. */
  uniqueName?: boolean
  /** The member who creates a team key. The actor is then the team's account. */
  memberId?: number
}

type Row = Omit<Token, 'member_id'> & { member_id: number | null }

/** Maximum number of tokens that a search reads. */
const SEARCHED_MAX = 1000

export function createTokens(parts: {
  db: Database
  secrets: Secrets
  ledger: Ledger
  options: Options
  follower: Follower
  audit: Audit
  now: () => number
}): Tokens {
  const { db, secrets, ledger, options, follower, audit, now } = parts
  const toToken = (actor: Actor, { member_id, ...row }: Row): Token => ({
    ...row,
    ...(member_id !== null && { member_id }),
    key: row.user_id === actor.id ? secrets.open(row.key) : '',
    unlimited_quota: Boolean(row.unlimited_quota),
    model_limits_enabled: Boolean(row.model_limits_enabled),
    store_responses: Boolean(row.store_responses),
  })

  /** Selects the rows that an actor may see. Root sees all tokens, and other actors see their own. */
  const visibleTokens = (actor: Actor, connection: Knex = db.reader) =>
    connection('tokens')
      .whereNull('deleted_at')
      .modify((query) => void (actor.role < ROLE.root && query.where({ user_id: actor.id })))

  async function get(actor: Actor, id: number): Promise<Token> {
    const [row] = await visibleTokens(actor)
      .where({ id })
      .select(...TOKEN_ROW_COLUMNS)
    if (!row) throw new GatewayError('TOKEN_NOT_FOUND', { id })
    return toToken(actor, row)
  }

  /** Locks the row of a token and changes it with `work`. Audits the change if the token belongs to another user. */
  async function change(
    actor: Actor,
    id: number,
    action: AuditAction,
    work: (trx: Knex.Transaction, stored: Token) => Promise<void>,
  ) {
    await db.transaction(async (trx) => {
      const [stored] = await visibleTokens(actor, trx)
        .where({ id })
        .forUpdate()
        .select(...TOKEN_ROW_COLUMNS)
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

  function checkGroup(group: string, { userGroup, isAdmin }: { userGroup: string; isAdmin: boolean }): void {
    if (group === '' || (mayUseGroup(options, { userGroup, requestedGroup: group }) && groupExists(options, group)))
      return
    // Only administrators may learn that a group does not exist.
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
    async create(actor, input, { ownerId = actor.id, uniqueName = true, memberId } = {}) {
      if (ownerId !== actor.id) requireRole(actor, ROLE.root)
      const row = checkToken(input, now())
      const { id, key } = await db.transaction(async (trx) => {
        const owner = await trx('users')
          .where({ id: ownerId, kind: memberId === undefined ? USER_KIND.person : USER_KIND.team })
          .whereNull('deleted_at')
          .forUpdate()
          .first('group', 'role')
        if (!owner) throw new GatewayError('USER_NOT_FOUND', { id: ownerId })
        // The removal of a member locks the team's account, too. So a member who is removed at the same time gets no
        // key.
        if (memberId !== undefined && !(await roleIn(trx, { teamId: ownerId, userId: memberId }))) {
          throw new GatewayError('TEAM_NOT_FOUND', { id: ownerId })
        }
        checkGroup(row.group, { userGroup: owner.group, isAdmin: owner.role >= ROLE.admin })
        const sameName = { user_id: ownerId, name: row.name }
        if (uniqueName && (await trx('tokens').where(sameName).whereNull('deleted_at').first('id'))) {
          throw new GatewayError('TOKEN_NAME_TAKEN', { name: row.name })
        }
        const insert = () => insertToken(trx, { secrets, now }, { ownerId, memberId, row })
        if (ownerId === actor.id) return insert()
        return audit.around(trx, { actor, action: 'token.create', kind: 'token' }, insert, (created) => [created.id])
      })
      await follower.catchUp()
      return { ...(await get(actor, id)), key }
    },

    get,

    async list(actor, query = {}) {
      const { keyword, ownerId = actor.id, memberId } = query
      if (ownerId !== actor.id) requireRole(actor, ROLE.root)
      const matching = visibleTokens(actor).modify((where) => {
        if (ownerId) where.where({ user_id: ownerId })
        if (memberId !== undefined) where.where({ member_id: memberId })
        if (keyword) whereContains(where, 'name', keyword)
      })
      const order = orderOf(query, NEWEST_FIRST)
      const page = await readPage<Row>(matching, query, { columns: TOKEN_ROW_COLUMNS, order })
      const items = page.items.map((row) => toToken(actor, row))
      return { ...page, items: ownerId === actor.id ? items : await withOwners(items) }
    },

    async search(actor, { keyword = '', key = '' }) {
      const part = key.startsWith(KEY_PREFIX) ? key.slice(KEY_PREFIX.length) : key
      const rows: Row[] = await visibleTokens(actor)
        .where({ user_id: actor.id })
        .modify((where) => {
          if (keyword) whereContains(where, 'name', keyword)
          if (part.length === KEY_LENGTH) where.where({ key_hash: secrets.digest(part) })
        })
        .orderBy(NEWEST_FIRST)
        .limit(SEARCHED_MAX)
        .select(...TOKEN_ROW_COLUMNS)
      // Keys are stored encrypted, so they must be decrypted for a search.
      return rows.map((row) => toToken(actor, row)).filter((token) => token.key.includes(part))
    },

    async update(actor, id, { status, ...changes }) {
      await change(actor, id, 'token.update', async (trx, stored) => {
        if (status === TOKEN_STATUS.enabled && wasFoundUnusable(stored)) checkUsable(stored, now())
        const { remain_quota, ...row } = checkChanges(stored, changes, now())
        if (row.group) {
          const owner = await trx('users').where({ id: stored.user_id }).first('group', 'role')
          checkGroup(row.group, { userGroup: owner?.group ?? '', isAdmin: (owner?.role ?? 0) >= ROLE.admin })
        }
        if (Object.keys(row).length) await trx('tokens').where({ id }).update(row)
        if (remain_quota !== undefined) await ledger.setBudget(trx, { tokenId: id, quota: remain_quota })
      })
      return get(actor, id)
    },

    async setStatus(actor, id, status) {
      oneOf('status', status, [TOKEN_STATUS.enabled, TOKEN_STATUS.disabled])
      await change(actor, id, 'token.status', async (trx, stored) => {
        if (status === TOKEN_STATUS.enabled) checkUsable(stored, now())
        await trx('tokens').where({ id }).update({ status })
      })
      return get(actor, id)
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
        await removeLimitsOfSubject(trx, { subject: 'token', subject_id: String(id) })
      }),
  }
}
