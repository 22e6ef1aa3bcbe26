import type { Database } from '../db/database.ts'

/** Returns when each user was last active, in unix seconds: the last relay of a key, or the start of the newest session. */
export async function lastActiveOf(db: Database, ids: readonly number[]): Promise<Map<number, number>> {
  const seen = new Map<number, number>()
  if (ids.length === 0) return seen
  const newest = (table: 'tokens' | 'sessions', column: string) =>
    db
      .reader(table)
      .whereIn('user_id', ids)
      .groupBy('user_id')
      .select<{ user_id: number; at: number | string | null }[]>('user_id', db.reader.raw('MAX(??) AS at', [column]))
  const rows = await Promise.all([newest('tokens', 'accessed_time'), newest('sessions', 'created_at')])
  for (const { user_id, at } of rows.flat()) seen.set(user_id, Math.max(seen.get(user_id) ?? 0, Number(at ?? 0)))
  return seen
}
