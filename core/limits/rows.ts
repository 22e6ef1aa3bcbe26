import type { Knex } from 'knex'
import { ROLE } from '../actor.ts'
import type { LiveLimit } from './limit.ts'

const COLUMNS = [
  ...['id', 'subject', 'subject_id', 'measure', 'period', 'time_zone', 'amount', 'action', 'wait_seconds', 'set_by'],
  ...['created_at', 'updated_at'],
] as const

/** A row of `limits`. */
export interface LimitRow extends LiveLimit {
  readonly set_by: number
  readonly created_at: number
  readonly updated_at: number
}

/** Returns the limits that pass the filter, in the order of their ids. */
export async function readLimits(db: Knex, filter: (query: Knex.QueryBuilder) => void = () => {}): Promise<LimitRow[]> {
  const setterRole = db('users').where('users.id', db.ref('limits.set_by')).select('role').as('setter_role')
  const rows: (LimitRow & { setter_role: number | null })[] = await db('limits')
    .modify(filter)
    .orderBy('limits.id')
    .select(...COLUMNS, setterRole)
  return rows.map(({ setter_role, ...row }) => ({
    ...row,
    amount: Number(row.amount),
    set_by_admin: setter_role === null || setter_role >= ROLE.admin,
  }))
}
