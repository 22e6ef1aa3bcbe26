import type { Knex } from 'knex'
import { USER_KIND } from '../actor.ts'
import type { ConfigurationChange } from './schema.ts'
import type { State } from './state.ts'

/** Adds to each deletion of a group the number of users, teams and tokens that are still in the group. */
export async function withUses(
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
