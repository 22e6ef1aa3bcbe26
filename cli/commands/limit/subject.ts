import { ROLE } from '../../../core/actor.ts'
import { GatewayError } from '../../../core/errors.ts'
import type { Page } from '../../../core/input.ts'
import { EACH, LIMIT_SUBJECTS, type LimitSubject } from '../../../core/limits/limit.ts'
import type { LimitQuery } from '../../../core/limits/limits.ts'
import type { Cli } from '../../cli.ts'
import type { Command } from '../../command.ts'
import { usageError } from '../../errors.ts'
import type { VerbTarget } from '../../run/verbs.ts'
import { memberOf, teamOf } from '../../teams.ts'
import { userIdOf } from '../../users.ts'

export interface SubjectFlags {
  subject?: LimitSubject
  of?: string
}

/** Maximum number of rows to read whose names contain the given name. */
const NAMES_MAX = 1000
const EVERYBODY = 0

export function withSubject(command: Command): Command {
  return command
    .choice('--subject <kind>', 'limit.filterBySubject', [...LIMIT_SUBJECTS])
    .option('--of <name|id>', 'limit.filterByNameOrId')
}

/** Throws a usage error for --of without --subject. */
export function checkSubject({ t }: Cli, { subject, of }: SubjectFlags): void {
  if (of !== undefined && subject === undefined) throw usageError(t('limit.ofNeedsSubject'))
}

/**
 * Returns the API's identifier of a subject given by name or id. Throws USER_NOT_FOUND, TOKEN_NOT_FOUND,
 * CHANNEL_NOT_FOUND, TEAM_NOT_FOUND, TEAM_MEMBER_NOT_FOUND, and a usage error if several tokens or channels have the
 * name.
 */
export async function resolveSubjectId(
  gateway: VerbTarget,
  { subject, id }: { subject: LimitSubject; id: string },
): Promise<string> {
  const { toolkit, actor } = gateway
  if (id === EACH) return id
  if (subject === 'user') return String(await userIdOf(toolkit, actor, id))
  if (subject === 'token') return tokenIdOf(gateway, id)
  if (subject === 'channel') return channelIdOf(gateway, id)
  if (subject === 'channel-key') {
    const at = id.lastIndexOf('/')
    return at <= 0 ? id : `${await channelIdOf(gateway, id.slice(0, at))}${id.slice(at)}`
  }
  if (subject === 'member') return memberIdOf(gateway, id)
  return id
}

export async function limitQuery(gateway: VerbTarget, { subject, of }: SubjectFlags): Promise<LimitQuery> {
  if (subject === undefined) return {}
  return of === undefined ? { subject } : { subject, subject_id: await resolveSubjectId(gateway, { subject, id: of }) }
}

/** Returns whether a text is an id, which has only digits. */
const isId = (text: string): boolean => /^\d+$/.test(text)

/** Finds a token of the actor, or of any user if the actor is root. */
async function tokenIdOf({ cli, toolkit, actor }: VerbTarget, name: string): Promise<string> {
  if (isId(name)) return name
  const owner = actor.role >= ROLE.root ? { ownerId: EVERYBODY } : {}
  const id = idOfName(cli, await toolkit.tokens.list(actor, { keyword: name, pageSize: NAMES_MAX, ...owner }), name)
  if (id === undefined) throw new GatewayError('TOKEN_NOT_FOUND', { id: name })
  return id
}

async function channelIdOf({ cli, toolkit, actor }: VerbTarget, name: string): Promise<string> {
  if (isId(name)) return name
  const id = idOfName(cli, await toolkit.channels.list(actor, { keyword: name, pageSize: NAMES_MAX }), name)
  if (id === undefined) throw new GatewayError('CHANNEL_NOT_FOUND', { id: name })
  return id
}

/** Returns the id of the only row with exactly this name; undefined if no row has this name. */
function idOfName({ t }: Cli, { items, total }: Page<{ id: number; name: string }>, name: string): string | undefined {
  // Rows that were not read could also have the name.
  if (total > items.length) throw usageError(t('limit.tooManyNamesContain', { name }))
  const ids = items.filter((row) => row.name === name).map(({ id }) => id)
  if (ids.length > 1) {
    const listed = ids.sort((a, b) => a - b).join(', ')
    throw usageError(t('limit.theNameIsAmbiguous', { name, listed }))
  }
  return ids[0]?.toString()
}

async function memberIdOf({ toolkit, actor }: VerbTarget, id: string): Promise<string> {
  const at = id.indexOf('/')
  const [teamName, member] = [id.slice(0, at), id.slice(at + 1)]
  if (at <= 0 || member === '' || (isId(teamName) && isId(member))) return id
  const team = await teamOf(toolkit, actor, teamName)
  const { user_id } = await memberOf(toolkit, actor, { team, member })
  return `${team.id}/${user_id}`
}
