import type { Knex } from 'knex'
import { type Actor, ROLE, requireRole } from '../actor.ts'
import type { Audit } from '../audit/audit.ts'
import type { Follower } from '../changes/follower.ts'
import type { Channels } from '../channels/channels.ts'
import { createChannels } from '../channels/channels.ts'
import type { Database } from '../db/database.ts'
import { GatewayError } from '../errors.ts'
import type { Options } from '../options/options.ts'
import { createOptions } from '../options/options.ts'
import type { Secrets } from '../secrets.ts'
import { desiredState } from './desired.ts'
import { documentOf } from './document.ts'
import { planChanges } from './plan.ts'
import type { ConfigurationChange, ConfigurationDocument, ConfigurationPlan } from './schema.ts'
import { readState } from './state.ts'
import { makeChanges } from './write.ts'

/** What a plan was made with, and what it saw. */
export interface ConfigurationRequest {
  /** Secrets are resolved: texts, no references. */
  document: ConfigurationDocument
  /** Whether what the document does not list is deleted, in the sections that it has. */
  prune?: boolean | undefined
}

/** The gateway as a document: options, groups, limits, prices and channels by name. Root only. */
export interface Configuration {
  /** The present state. Secrets are references to environment variables, whose names are derived. */
  export(actor: Actor): Promise<ConfigurationDocument>
  /** What would change, and the versions of what is there. Changes nothing. Throws what is wrong with the document. */
  plan(actor: Actor, request: ConfigurationRequest): Promise<ConfigurationPlan>
  /**
   * Makes exactly the planned changes, in one transaction. Throws CONFIGURATION_CHANGED if what is there, or what would change, is
   * not what the plan says.
   */
  apply(actor: Actor, request: ConfigurationRequest & { plan: ConfigurationPlan }): Promise<ConfigurationPlan>
}

export interface ConfigurationParts {
  db: Database
  secrets: Secrets
  audit: Audit
  follower: Follower
  now: () => number
}

export function createConfiguration(parts: ConfigurationParts): Configuration {
  const { db, secrets, follower } = parts
  const changesOf = async (reader: Knex, { document, prune = false }: ConfigurationRequest) =>
    planChanges(await readState({ reader }, secrets), desiredState(document, secrets), { prune })

  return {
    async export(actor) {
      requireRole(actor, ROLE.root)
      return documentOf(await readState(db, secrets))
    },
    async plan(actor, request) {
      requireRole(actor, ROLE.root)
      return { changes: await changesOf(db.reader, request) }
    },
    async apply(actor, { plan, ...request }) {
      requireRole(actor, ROLE.root)
      await db.transaction(async (trx) => {
        // Two plans that are applied at once take turns: the second sees what the first has done.
        await db.alone(trx, 'configuration')
        await db.alone(trx, 'options')
        await trx('channels').forUpdate().select('id')
        requireSame(plan.changes, await changesOf(trx, request))
        await makeChanges(actor, plan.changes, request.document, await within(trx, parts))
      })
      await follower.catchUp()
      return plan
    },
  }
}

/** Throws CONFIGURATION_CHANGED, with the first difference. */
function requireSame(planned: readonly ConfigurationChange[], now: readonly ConfigurationChange[]): void {
  const key = ({ section, name, action, version }: ConfigurationChange) => `${section} ${name} ${action} ${version}`
  const [before, after] = [new Set(planned.map(key)), new Set(now.map(key))]
  const other = planned.find((each) => !after.has(key(each))) ?? now.find((each) => !before.has(key(each)))
  if (other) throw new GatewayError('CONFIGURATION_CHANGED', { section: other.section, name: other.name })
}

/** Operations that all write in the caller's transaction, by the same rules as everywhere. */
async function within(
  trx: Knex.Transaction,
  { db, secrets, audit, now }: ConfigurationParts,
): Promise<{ channels: Channels; options: Options; trx: Knex.Transaction }> {
  const inside: Database = { ...db, reader: trx, transaction: (work) => work(trx) }
  // Caches are told once, after the commit.
  const follower: Follower = { on() {}, async catchUp() {}, async follow() {}, async close() {} }
  return {
    trx,
    channels: createChannels({ db: inside, secrets, follower, audit, now }),
    options: await createOptions({ db: inside, secrets, follower, audit }),
  }
}
