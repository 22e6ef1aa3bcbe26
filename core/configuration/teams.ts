import type { Knex } from 'knex'
import { USER_STATUS } from '../actor.ts'
import { DEFAULT_GROUP } from '../groups/groups.ts'
import { requireTeamName } from '../teams/lifecycle.ts'
import { TEAM_ROLES, type TeamRole } from '../teams/team.ts'
import { checkedAt, faultAt, unknownAt } from './fault.ts'
import type { ConfigurationFields } from './fields.ts'
import type { Names } from './names.ts'
import type { TeamDefinition } from './schema.ts'

/** Prefix of the fields with the roles of members. Each member and the owner has a field, so that a plan lists them. */
const MEMBER = 'members.'
export const memberOfField = (field: string): string | undefined =>
  field.startsWith(MEMBER) ? field.slice(MEMBER.length) : undefined

export async function readTeams(reader: Knex): Promise<Map<string, ConfigurationFields>> {
  const rows = await reader('teams')
    .join('users', 'users.id', 'teams.id')
    .orderBy('teams.name')
    .select<{ id: number; name: string; group: string; status: number }[]>(
      ...['teams.id', 'teams.name', 'users.group', 'users.status'],
    )
  const members = await reader('team_members')
    .join('users', 'users.id', 'team_members.user_id')
    .orderBy('users.username')
    .select<{ team_id: number; role: TeamRole; username: string }[]>('team_id', 'team_members.role', 'users.username')
  return new Map(
    rows.map(({ id, name, group, status }) => {
      const teamMembers = members.filter(({ team_id }) => Number(team_id) === Number(id))
      const roles = teamMembers.map(({ username, role }) => [`${MEMBER}${username}`, role])
      return [name, { group, enabled: status === USER_STATUS.enabled, ...Object.fromEntries(roles) }]
    }),
  )
}

/** Returns a team in the form of a configuration file. */
export function teamDefinition({ group, enabled, ...roles }: ConfigurationFields): TeamDefinition {
  const members = Object.entries(roles).flatMap(([field, role]) => {
    const name = memberOfField(field)
    const teamRole = TEAM_ROLES.find((each) => each === role)
    return name === undefined || !teamRole ? [] : [{ name, role: teamRole }]
  })
  const owner = members.find(({ role }) => role === 'owner')?.name
  const others = members.flatMap(({ name, role }) => (role === 'owner' ? [] : [[name, role] as const]))
  return {
    ...(owner !== undefined && { owner }),
    group: String(group),
    ...(enabled === false && { enabled }),
    members: Object.fromEntries(others),
  }
}

interface TeamContext {
  /** The existing teams. */
  current: ReadonlyMap<string, ConfigurationFields>
  names: Names
  prune: boolean
  hasGroup: (name: string) => boolean
}

/** Returns the teams of a document by name. Throws CONFIGURATION_INVALID with the path. */
export async function desiredTeams(
  definitions: Readonly<Record<string, TeamDefinition>>,
  { current, names, prune, hasGroup }: TeamContext,
): Promise<Map<string, ConfigurationFields>> {
  const teams = new Map<string, ConfigurationFields>()
  for (const [name, definition] of Object.entries(definitions)) {
    const { owner, group, enabled, members } = definition
    const path = `teams.${name}`
    const before = current.get(name)
    checkedAt(path, () => requireTeamName(name))
    if (group !== undefined && group !== DEFAULT_GROUP && !hasGroup(group)) throw unknownAt(path, 'group', group)
    if (!before && owner === undefined) throw faultAt(path, 'configuration.teamOwnerMissing')
    const ownerName = owner ?? ownerOf(before)
    if (ownerName !== undefined && members && Object.hasOwn(members, ownerName))
      throw faultAt(path, 'configuration.ownerIsMember', { name: ownerName })
    for (const user of [...(owner === undefined ? [] : [owner]), ...Object.keys(members ?? {})])
      if ((await names.user(user)) === undefined) throw unknownAt(path, 'user', user)
    teams.set(name, {
      ...(group !== undefined && { group }),
      ...(enabled !== undefined && { enabled }),
      ...roles(before ?? {}, definition, prune),
    })
  }
  return teams
}

const ownerOf = (team: ConfigurationFields = {}): string | undefined =>
  Object.keys(team).flatMap((field) => (team[field] === 'owner' ? (memberOfField(field) ?? []) : []))[0]

/** Returns the desired roles. A member with the role undefined is removed. */
function roles(before: ConfigurationFields, { owner, members }: TeamDefinition, prune: boolean): ConfigurationFields {
  const memberFields = Object.keys(before).filter((field) => memberOfField(field) !== undefined)
  const oldOwner = memberFields.find((field) => before[field] === 'owner')
  const removed = prune && members ? memberFields.filter((field) => field !== oldOwner || owner !== undefined) : []
  return {
    // The old owner becomes an admin, as when an owner transfers the team.
    ...(owner !== undefined && oldOwner !== undefined && { [oldOwner]: 'admin' }),
    ...Object.fromEntries(removed.map((field) => [field, undefined])),
    ...Object.fromEntries(Object.entries(members ?? {}).map(([name, role]) => [`${MEMBER}${name}`, role])),
    ...(owner !== undefined && { [`${MEMBER}${owner}`]: 'owner' }),
  }
}
