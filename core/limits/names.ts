import type { Knex } from 'knex'
import type { LimitSubject } from './limit.ts'

const NAMED = {
  token: { table: 'tokens', column: 'name' },
  user: { table: 'users', column: 'username' },
  channel: { table: 'channels', column: 'name' },
} as const
/** Maximum number of ids per statement, because databases limit the number of parameters. */
const IDS_MAX = 5000

/**
 * Returns a function that returns the display name of a subject. Tokens, users and channels have names. A member is
 * shown as `team/user`, a channel's key by the channel's name and the digest, and any other subject by its id.
 */
export async function readSubjectNames(
  db: Knex,
  subjects: readonly { subject: LimitSubject; subject_id: string }[],
): Promise<(subject: LimitSubject, id: string) => string> {
  const names = new Map<string, string>()
  for (const subject of ['token', 'user', 'channel'] as const) {
    const { table, column } = NAMED[subject]
    const ids = subjects
      .filter((each) => each.subject === subject || (subject === 'channel' && each.subject === 'channel-key'))
      .map(({ subject_id }) => Number(subject_id.split('/')[0]))
      .filter(Number.isSafeInteger)
    if (ids.length === 0) continue
    const rows = await db(table)
      .whereIn('id', [...new Set(ids)].slice(0, IDS_MAX))
      .select('id', column)
    for (const row of rows) names.set(`${subject} ${row.id}`, String(row[column]))
  }
  const members = await memberNames(db, subjects)
  return (subject, id) => {
    if (subject === 'member') return members.get(id) ?? id
    if (subject !== 'channel-key') return names.get(`${subject} ${id}`) ?? id
    const [channel, digest = ''] = id.split('/')
    return `${names.get(`channel ${channel}`) ?? channel} ${digest}`.trim()
  }
}

/** Returns the names of members, such as `team/user`, by the ids of team and user in the same form. */
async function memberNames(
  db: Knex,
  subjects: readonly { subject: LimitSubject; subject_id: string }[],
): Promise<Map<string, string>> {
  const ids = subjects.filter(({ subject, subject_id }) => subject === 'member' && subject_id.includes('/'))
  if (ids.length === 0) return new Map()
  const teamIds = [...new Set(ids.map(({ subject_id }) => Number(subject_id.split('/')[0])))].slice(0, IDS_MAX)
  const rows = await db('team_members')
    .join('teams', 'teams.id', 'team_members.team_id')
    .join('users', 'users.id', 'team_members.user_id')
    .whereIn('team_id', teamIds)
    .select('team_id', 'user_id', 'teams.name', 'users.username')
  return new Map(rows.map((row) => [`${row.team_id}/${row.user_id}`, `${row.name}/${row.username}`]))
}
