import type { Knex } from 'knex'
import { type Actor, ROLE, requireRole, USER_KIND } from '../actor.ts'
import type { Follower } from '../changes/follower.ts'
import { createChannels } from '../channels/channels.ts'
import type { Database } from '../db/database.ts'
import { GatewayError } from '../errors.ts'
import type { ClockMs } from '../limits/exchange.ts'
import { createLimits } from '../limits/limits.ts'
import { createOptions } from '../options/options.ts'
import { retryWhileBusy } from '../teams/lifecycle.ts'
import type { AccountParts } from '../teams/parts.ts'
import { desiredState } from './desired.ts'
import { documentOf, withDefaults } from './document.ts'
import { keyPositions } from './limits.ts'
import { documentDigest, planChanges } from './plan.ts'
import type { ConfigurationChange, ConfigurationDocument, ConfigurationExport, ConfigurationPlan } from './schema.ts'
import { readConfigurationState, type State } from './state.ts'
import { type ConfigurationComparison, makeChanges, type Writers } from './write.ts'

/** The input of a plan. */
interface ConfigurationRequest {
  /** The document, whose references to secrets are already replaced by the secrets in clear text. */
  document: ConfigurationDocument
  /** Whether to delete the entries that a section of the document does not list. Omitted sections stay unchanged. */
  prune?: boolean | undefined
}

/** Exports, plans and applies the configuration as a document, whose entries have unique names. Root only. */
export interface Configuration {
  /** Returns the current state. Secrets become references to environment variables with derived names. */
  export(actor: Actor): Promise<ConfigurationExport>
  /** Returns the changes that `apply` would make, with the entries' versions. Throws CONFIGURATION_INVALID. */
  plan(actor: Actor, request: ConfigurationRequest): Promise<ConfigurationPlan>
  /**
   * Applies exactly the planned changes, in one transaction. Throws CONFIGURATION_CHANGED if entries have changed since
   * the plan was made, and CONFIGURATION_OTHER if the plan was made for another document.
   */
  apply(actor: Actor, request: ConfigurationRequest & { plan: ConfigurationPlan }): Promise<ConfigurationPlan>
}

export interface ConfigurationParts extends AccountParts {
  /** Clock of the database, in milliseconds. */
  readonly clock: ClockMs
}

export function createConfiguration(parts: ConfigurationParts): Configuration {
  const { db, secrets, follower } = parts
  /** Returns the changes, the state after them, and the document with the defaults that pruning adds. */
  async function compare(reader: Knex, request: ConfigurationRequest): Promise<ConfigurationComparison> {
    const { prune = false } = request
    const now = parts.now()
    const current = await readConfigurationState(reader, secrets)
    const document = prune ? withDefaults(request.document, current) : request.document
    const desired = await desiredState(document, { reader, current, secrets, prune, now })
    return { changes: planChanges(current, desired, { prune, now }), desired, document }
  }

  return {
    async export(actor) {
      requireRole(actor, ROLE.root)
      return documentOf(await readConfigurationState(db.reader, secrets), {
        now: parts.now(),
        positions: await keyPositions(db.reader, secrets),
      })
    },
    async plan(actor, request) {
      requireRole(actor, ROLE.root)
      const { changes, desired } = await compare(db.reader, request)
      const document = documentDigest(request.document, secrets)
      return { document, changes: await withUses(db.reader, changes, desired) }
    },
    async apply(actor, { plan, ...request }) {
      requireRole(actor, ROLE.root)
      await retryWhileBusy(() =>
        db.transaction(async (trx) => {
          await lockSections(trx, db, request.document)
          const comparison = await compare(trx, request)
          requireSame(plan.changes, comparison.changes)
          if (plan.document !== documentDigest(request.document, secrets)) throw new GatewayError('CONFIGURATION_OTHER')
          await makeChanges(actor, comparison, await writersIn(trx, parts))
        }),
      )
      await follower.catchUp()
      return plan
    },
  }
}

/** Locks the configured rows, so that concurrent applies and manual changes wait for each other. */
async function lockSections(trx: Knex.Transaction, db: Database, document: ConfigurationDocument): Promise<void> {
  await db.serialize(trx, 'configuration')
  await db.serialize(trx, 'options')
  await db.serialize(trx, 'limits')
  await trx('channels').forUpdate().select('id')
  if (document.teams) {
    // Lock the owners too, because the balance of a deleted team returns to its owner. The order prevents deadlocks.
    const owners = trx('team_members').where({ role: 'owner' }).select('user_id')
    await trx('users').where({ kind: USER_KIND.team }).orWhereIn('id', owners).orderBy('id').forUpdate().select('id')
  }
  if (document.management_keys) await trx('management_keys').where({ revoked_at: 0 }).forUpdate().select('id')
}

/** Throws CONFIGURATION_CHANGED with the first difference between the planned and the current changes. */
function requireSame(planned: readonly ConfigurationChange[], current: readonly ConfigurationChange[]): void {
  const keyOf = ({ section, name, action, version, wanted }: ConfigurationChange) =>
    `${section} ${name} ${action} ${version} ${wanted}`
  const [plannedKeys, currentKeys] = [new Set(planned.map(keyOf)), new Set(current.map(keyOf))]
  const other =
    planned.find((change) => !currentKeys.has(keyOf(change))) ??
    current.find((change) => !plannedKeys.has(keyOf(change)))
  if (other) throw new GatewayError('CONFIGURATION_CHANGED', { section: other.section, name: other.name })
}

/** Returns the Toolkit's operations on channels, options and limits, with all writes in the caller's transaction. */
async function writersIn(trx: Knex.Transaction, parts: ConfigurationParts): Promise<Writers> {
  const { secrets, audit, now, clock } = parts
  const db: Database = { ...parts.db, reader: trx, transaction: (work) => work(trx) }
  // This follower does nothing, because caches are updated once, after the commit.
  const follower: Follower = { on() {}, async catchUp() {}, async follow() {}, async close() {} }
  const readOptions = () => createOptions({ db, secrets, follower, audit })
  return {
    trx,
    parts: { ...parts, db, follower },
    channels: createChannels({ db, secrets, follower, audit, now }),
    options: await readOptions(),
    // Read the options again, because this transaction may just have written groups.
    limits: async () => createLimits({ db, options: await readOptions(), follower, audit, secrets, clock, now }),
  }
}

/** Adds to each deletion of a group the number of users, teams and tokens that are still in the group. */
async function withUses(
  reader: Knex,
  changes: readonly ConfigurationChange[],
  { teams }: Partial<State>,
): Promise<ConfigurationChange[]> {
  const isDeleted = ({ section, action }: ConfigurationChange) => section === 'groups' && action === 'delete'
  const teamDeletions = changes.filter(({ section, action }) => section === 'teams' && action === 'delete')
  const deletedTeams = new Set(teamDeletions.map(({ name }) => name))
  const inUse = async (group: string) => {
    const count = async (query: Knex.QueryBuilder) => Number((await query.count({ n: '*' }).first())?.n)
    const users = reader('users').where({ group, kind: USER_KIND.person }).whereNull('deleted_at')
    const names: string[] = await reader('teams')
      .join('users', 'users.id', 'teams.id')
      .where('users.group', group)
      .whereNull('users.deleted_at')
      .pluck('teams.name')
    // Ignore teams that the same document deletes or moves to another group.
    const remainingTeams = names.filter(
      (name) => !deletedTeams.has(name) && (teams?.get(name)?.group ?? group) === group,
    )
    const tokens = reader('tokens').where({ group }).whereNull('deleted_at')
    return { users: await count(users), teams: remainingTeams.length, tokens: await count(tokens) }
  }
  return Promise.all(
    changes.map(async (change) => (isDeleted(change) ? { ...change, in_use: await inUse(change.name) } : change)),
  )
}
