import type { Knex } from 'knex'
import { type Actor, GATEWAY, ROLE, USER_STATUS } from '../actor.ts'
import { recordChange } from '../changes/changes.ts'
import type { Follower } from '../changes/follower.ts'
import type { Database } from '../db/database.ts'
import { GatewayError, isUniqueViolation } from '../errors.ts'
import { OPTIONS } from '../options/registry.ts'
import { randomAlphanumerics, type Secrets } from '../secrets.ts'
import { fitsAccount } from './emails.ts'
import { type RegistrationOrigin, sourcesOf } from './invite-sources.ts'
import { insertUser, type NewUserParts } from './new-user.ts'
import { type IdentityProvider, providerInfo } from './providers.ts'
import { toUser, USER_ROW_COLUMNS, type User } from './user.ts'

/** A user's identity at a provider. The id is permanent, or the most stable id that the provider has. */
export interface Identity {
  provider: IdentityProvider
  id: string
  /** Display name of a new user. */
  name?: string | undefined
  /** Mail address of a new user. Not stored if another user has the address. */
  email?: string | undefined
}

/** The invitation of a new user. With the option InviteRewardOnce, each address and device of `origin` earns once. */
interface Invitation {
  inviteCode?: string | undefined
  origin?: RegistrationOrigin | undefined
}

const REGISTER_TRIES = 5
const NAME_TRIES = 20
const DISPLAY_NAME_MAX = 20

/** Accounts at other services with which users sign in. */
export function createIdentities(parts: NewUserParts & { db: Database; follower: Follower; secrets: Secrets }) {
  const { db, options, follower, secrets } = parts
  async function register(
    identity: Identity,
    defaultName: string,
    { inviteCode = '', origin = {} }: Invitation,
  ): Promise<void> {
    await db.transaction(async (trx) => {
      // Run one registration at a time. Concurrent ones could create two users for an identity, or give two users the
      // same name.
      await db.serialize(trx, 'new identity')
      if (await findHolder(trx, identity)) return
      const email = await freeEmail(trx, identity.email)
      const row = {
        username: await freeName(trx, identity.provider),
        display_name: displayName(identity.name) || defaultName,
        password: '',
        role: ROLE.common,
        group: 'default',
        [providerInfo(identity.provider).column]: identity.id,
        ...(email !== undefined && { email }),
      }
      const quota = options.get(OPTIONS.QuotaForNewUser)
      await insertUser(trx, parts, { row, quota, actorId: GATEWAY.id, inviteCode, sources: sourcesOf(origin, secrets) })
    })
    await follower.catchUp()
  }

  return {
    /**
     * Returns the user of an identity, and creates a user for an unknown identity. Throws PROVIDER_ANSWER (no usable
     * id), ACCOUNT_DELETED, USER_DISABLED, REGISTER_DISABLED, and IDENTITY_UNBOUND if the provider may not create
     * users.
     */
    async signIn(identity: Identity, invitation: Invitation = {}): Promise<User> {
      requireId(identity)
      const { name: provider, defaultDisplayName: defaultName } = providerInfo(identity.provider)
      let holder = await findHolder(db.reader, identity)
      if (defaultName === undefined && (!holder || holder.DeletedAt)) {
        throw new GatewayError('IDENTITY_UNBOUND', { provider })
      }
      if (!holder && defaultName !== undefined) {
        if (!options.get(OPTIONS.RegisterEnabled)) throw new GatewayError('REGISTER_DISABLED')
        // Retry, because a concurrent registration with a password may take the name, address or invite code.
        await withRetries(() => register(identity, defaultName, invitation))
        holder = await findHolder(db.reader, identity)
      }
      if (!holder || holder.DeletedAt) throw new GatewayError('ACCOUNT_DELETED')
      if (holder.status !== USER_STATUS.enabled) throw new GatewayError('USER_DISABLED')
      return holder
    },

    /**
     * Binds an identity to the actor. Replaces the actor's previous identity at that provider. Throws IDENTITY_TAKEN or
     * WECHAT_TAKEN, PROVIDER_ANSWER (no usable id), USER_DISABLED, ACCOUNT_DELETED.
     */
    async bind(actor: Actor, identity: Identity): Promise<void> {
      requireId(identity)
      const { column, name, taken } = providerInfo(identity.provider)
      try {
        await db.transaction(async (trx) => {
          const user = await trx('users').where({ id: actor.id }).forUpdate().first('status', 'deleted_at')
          if (!user || user.deleted_at) throw new GatewayError('ACCOUNT_DELETED')
          if (user.status !== USER_STATUS.enabled) throw new GatewayError('USER_DISABLED')
          if (await findHolder(trx, identity)) throw new GatewayError(taken, { provider: name })
          await trx('users')
            .where({ id: actor.id })
            .update({ [column]: identity.id })
          await recordChange(trx, 'user', [actor.id])
        })
      } catch (cause) {
        if (isUniqueViolation(cause)) throw new GatewayError(taken, { provider: name }, { cause })
        throw cause
      }
      await follower.catchUp()
    },
  }
}

/** Returns the user of an identity, even if deleted, so that a new sign-in fails instead of creating another user. */
async function findHolder(connection: Knex, { provider, id }: Identity): Promise<User | undefined> {
  const row = await connection('users')
    .where({ [providerInfo(provider).column]: id })
    .first(...USER_ROW_COLUMNS)
  return row && toUser(row)
}

/** Throws PROVIDER_ANSWER for an invalid id. An empty id would match all users without an identity. */
function requireId({ provider, id }: Identity): void {
  if (id.trim() !== '' && /^[^\p{Cc}\p{Cs}]{1,255}$/u.test(id)) return
  throw new GatewayError('PROVIDER_ANSWER', { provider: providerInfo(provider).name })
}

/**
 * Returns the documented name `<provider>_<highest id + 1>`. If users have chosen this name and the next ones
 * themselves, returns a name with a random suffix.
 */
async function freeName(trx: Knex.Transaction, provider: IdentityProvider): Promise<string> {
  const newest = await trx('users').max({ id: 'id' }).first()
  for (let step = 1; step <= NAME_TRIES; step++) {
    const username = `${provider}_${(newest?.id ?? 0) + step}`
    if (!(await trx('users').where({ username }).first('id'))) return username
  }
  return `${provider}_${randomAlphanumerics(12)}`
}

/** Returns the address if it is valid and unused, so that sign-in by mail stays unambiguous. */
async function freeEmail(trx: Knex.Transaction, email: string | undefined): Promise<string | undefined> {
  if (email === undefined || !fitsAccount(email)) return undefined
  const owner = await trx('users')
    .whereRaw('lower(email) = ?', [email.toLowerCase()])
    .orWhere({ username: email })
    .first('id')
  return owner ? undefined : email
}

/** Removes characters that cannot be stored or seen, and cuts the name to the length that users may enter. */
function displayName(name = ''): string {
  return [...name.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '').trim()].slice(0, DISPLAY_NAME_MAX).join('').trim()
}

async function withRetries(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isUniqueViolation(error) || attempt === REGISTER_TRIES) throw error
    }
  }
}
