import type { Knex } from 'knex'
import type { Actor } from '../actor.ts'
import type { AuditAction } from '../audit/actions.ts'
import type { Audit } from '../audit/audit.ts'
import type { Follower } from '../changes/follower.ts'
import type { Database } from '../db/database.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Logs } from '../logs/logs.ts'
import type { Options } from '../options/options.ts'
import type { Redemptions } from '../redemption/redemption.ts'
import type { Secrets } from '../secrets.ts'
import type { Tokens } from '../tokens/tokens.ts'
import type { TeamAccess } from './access.ts'

/** The dependencies of operations on teams. */
export interface TeamParts {
  readonly db: Database
  readonly secrets: Secrets
  readonly ledger: Ledger
  readonly logs: Logs
  readonly tokens: Tokens
  readonly redemption: Redemptions
  readonly options: Options
  readonly follower: Follower
  readonly audit: Audit
  readonly now: () => number
}

/** The dependencies of changes of a team's account and members. */
export type AccountParts = Omit<TeamParts, 'options' | 'tokens' | 'redemption'>

/** Audits an action in a team if the actor is not a member. Such an actor is an administrator of the gateway. */
export async function auditForeign(
  { audit }: Pick<TeamParts, 'audit'>,
  trx: Knex.Transaction,
  actor: Actor,
  access: TeamAccess,
  { action, after }: { action: AuditAction; after: Record<string, unknown> },
): Promise<void> {
  if (access.ownRole === undefined) await audit.write(trx, actor, { action, object: `team:${access.id}`, after })
}
