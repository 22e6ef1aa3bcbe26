import type { Knex } from 'knex'
import { USER_KIND } from '../actor.ts'
import { inParts } from '../in-parts.ts'

const IDS_PER_STATEMENT = 500

/**
 * Returns the names of channels by id, in the order of ids. If several channels have the same name, each one after the
 * first gets its id as a suffix.
 */
export function uniqueChannelNames(rows: readonly { id: number; name: string }[]): Map<number, string> {
  const takenNames = new Set<string>()
  return new Map(
    rows.map(({ id, name }) => {
      const unique = takenNames.has(name) ? `${name} (channel ${id})` : name
      takenNames.add(name)
      return [id, unique]
    }),
  )
}

/** The user or team that owns a token, by name. */
interface TokenOwner {
  user?: string | undefined
  team?: string | undefined
}

/** Finds entries by the names in a document. Returns undefined (`isMember`: false) for names that do not exist. */
export interface Names {
  user(name: string): Promise<number | undefined>
  team(name: string): Promise<number | undefined>
  /** Returns `several` if the owner has more than one token of that name. */
  token(owner: TokenOwner, name: string): Promise<number | 'several' | undefined>
  channel(name: string): Promise<{ id: number; key: string; setting: string } | undefined>
  isMember(team: string, user: string): Promise<boolean>
}

/** Returns a look-up of names in the database. Results for users, teams and channels are cached. */
export function namesIn(reader: Knex): Names {
  const idIn = async (query: Knex.QueryBuilder): Promise<number | undefined> => {
    const row = await query.first('id')
    return row === undefined ? undefined : Number(row.id)
  }
  const names: Names = {
    user: cached((name) =>
      idIn(reader('users').where({ username: name, kind: USER_KIND.person }).whereNull('deleted_at')),
    ),
    team: cached((name) => idIn(reader('teams').where({ name }))),
    async token({ user, team }, name) {
      const owner = team === undefined ? await names.user(user ?? '') : await names.team(team)
      if (owner === undefined) return undefined
      const [, plain = name, id] = /^(.*) \(token (\d{1,9})\)$/.exec(name) ?? []
      const tokens = reader('tokens').where({ user_id: owner }).whereNull('deleted_at').orderBy('id')
      const ids: number[] = await tokens.clone().where({ name }).pluck('id')
      if (ids.length > 1) return 'several'
      if (ids.length === 1 || id === undefined) return ids[0]
      return idIn(tokens.clone().where({ name: plain, id: Number(id) }))
    },
    channel: cached(async (name) => {
      const [, plain = name, id] = /^(.*) \(channel (\d{1,9})\)$/.exec(name) ?? []
      const first = await reader('channels').where({ name }).orderBy('id').first('id', 'key', 'setting')
      if (first || id === undefined) return first
      return reader('channels')
        .where({ name: plain, id: Number(id) })
        .first('id', 'key', 'setting')
    }),
    async isMember(team, user) {
      const [team_id, user_id] = [await names.team(team), await names.user(user)]
      if (team_id === undefined || user_id === undefined) return false
      return (await reader('team_members').where({ team_id, user_id }).first('role')) !== undefined
    },
  }
  return names
}

/** Returns a function that calls `find` once per name. */
function cached<T>(find: (name: string) => Promise<T>): (name: string) => Promise<T> {
  const results = new Map<string, Promise<T>>()
  return (name) => {
    const result = results.get(name) ?? find(name)
    results.set(name, result)
    return result
  }
}

/** Returns rows of a table by id. Splits any number of ids into several statements. */
export async function rowsById<Row extends { id: number }>(
  ids: Iterable<number>,
  read: (ids: number[]) => Promise<Row[]>,
): Promise<Map<number, Row>> {
  const uniqueIds = [...new Set(ids)].filter(Number.isSafeInteger)
  const rows = new Map<number, Row>()
  for (const part of inParts(uniqueIds, IDS_PER_STATEMENT)) {
    for (const row of await read(part)) rows.set(Number(row.id), row)
  }
  return rows
}
