import type { Knex } from 'knex'
import { USER_KIND } from '../actor.ts'
import { digestsOf } from '../channels/keys/key-ring.ts'
import { checkCombination, checkLimit } from '../limits/check.ts'
import { type CountedLimit, EACH, type LimitSubject, type NewLimit } from '../limits/limit.ts'
import type { Secrets } from '../secrets.ts'
import { checkedAt, faultAt, unknownAt } from './fault.ts'
import { joinedName } from './fields.ts'
import { type Names, rowsById, uniqueChannelNames } from './names.ts'
import type { LimitDefinition } from './schema.ts'

/** The fields of a limit in a state. A key of a channel is identified by its digest. */
export type LimitFields = Omit<LimitDefinition, 'channel_key'> & { channel_key?: string }
/** The subject of a limit, identified by names instead of ids. */
type Subject = Pick<LimitFields, 'subject' | 'name' | 'user' | 'team' | 'channel_key'>

/** Returns the name that plans show for a limit, such as `user ann requests per day`. */
function nameOf({ subject, name, user, team, channel_key: key, measure, period = 'none' }: LimitIdentity): string {
  const owner = user ?? (team === undefined ? undefined : subject === 'token' ? `@${team}` : team)
  const who = joinedName([owner, name, key])
  return `${subject} ${who} ${measure}${period === 'none' ? '' : ` per ${period}`}`
}
type LimitIdentity = Subject & Pick<LimitDefinition, 'measure' | 'period'>

interface LimitRow {
  id: number
  name: string
  fields: LimitFields
}

/** Returns the current limits. Omits limits whose subject was deleted, such as a removed key of a channel. */
export async function readConfiguredLimits(reader: Knex, secrets: Secrets): Promise<LimitRow[]> {
  const rows: (Required<NewLimit> & { id: number })[] = await reader('limits')
    .orderBy(['subject', 'subject_id', 'measure', 'id'])
    .select('id', 'subject', 'subject_id', 'measure', 'period', 'amount', 'time_zone', 'action', 'wait_seconds')
  if (rows.length === 0) return []
  const subjectOf = await subjectsIn(reader, rows, secrets)
  return rows.flatMap(({ id, subject, subject_id, measure, period, amount, time_zone, action, wait_seconds }) => {
    const subjectNames = subjectOf(subject, subject_id)
    if (!subjectNames) return []
    const identity = { subject, ...subjectNames, measure, ...(period !== 'none' && { period }) }
    const otherFields = fieldsOf({ amount: Number(amount), time_zone, action, wait_seconds })
    return [{ id: Number(id), name: nameOf(identity), fields: { ...identity, ...otherFields } }]
  })
}

/** Returns the fields that differ from their defaults. */
function fieldsOf(limit: Omit<Required<NewLimit>, keyof Fixed>): Omit<LimitFields, keyof LimitIdentity> {
  const { amount, time_zone, action, wait_seconds } = limit
  return {
    amount,
    ...(time_zone !== '' && { time_zone }),
    ...(action !== 'reject' && { action }),
    ...(wait_seconds !== 0 && { wait_seconds }),
  }
}
type Fixed = Pick<NewLimit, 'subject' | 'subject_id' | 'measure' | 'period'>

type SubjectNames = Omit<Subject, 'subject'>

async function subjectsIn(
  reader: Knex,
  rows: readonly Pick<NewLimit, 'subject' | 'subject_id'>[],
  secrets: Secrets,
): Promise<(subject: LimitSubject, id: string) => SubjectNames | undefined> {
  const idsOf = (subject: LimitSubject, part = 0) =>
    rows.filter((row) => row.subject === subject).map(({ subject_id }) => Number(subject_id.split('/')[part]))
  const tokens = await rowsById(idsOf('token'), (ids) =>
    reader('tokens').whereIn('id', ids).whereNull('deleted_at').select<Token[]>('id', 'name', 'user_id'),
  )
  const ambiguous = await ambiguousTokens(reader, [...tokens.values()])
  const userIds = [...idsOf('user'), ...idsOf('member', 1), ...[...tokens.values()].map(({ user_id }) => user_id)]
  const users = await rowsById(userIds, (ids) =>
    reader('users').whereIn('id', ids).whereNull('deleted_at').select<User[]>('id', 'username', 'kind'),
  )
  const teamIds = [...idsOf('member'), ...[...tokens.values()].map(({ user_id }) => user_id)]
  const teams = await rowsById(teamIds, (ids) =>
    reader('teams').whereIn('id', ids).select<{ id: number; name: string }[]>('id', 'name'),
  )
  const channels = uniqueChannelNames(await reader('channels').orderBy('id').select('id', 'name'))
  const keyedChannels = await rowsById(idsOf('channel-key'), (ids) =>
    reader('channels').whereIn('id', ids).select<KeyedChannel[]>('id', 'setting', 'key'),
  )

  return (subject, id) => {
    if (id === EACH || subject === 'group' || subject === 'model' || subject === 'address') return { name: id }
    const [first, second = ''] = id.split('/')
    const namesOf = <Row>(row: Row | undefined, toNames: (row: Row) => SubjectNames): SubjectNames | undefined =>
      row && toNames(row)
    if (subject === 'user') {
      const user = users.get(Number(id))
      return user?.kind === USER_KIND.person ? { name: user.username } : undefined
    }
    if (subject === 'member') {
      const [team, user] = [teams.get(Number(first)), users.get(Number(second))]
      return team && user && { team: team.name, name: user.username }
    }
    if (subject === 'token') {
      const token = tokens.get(Number(id))
      const name = token && ambiguous.has(token.id) ? `${token.name} (token ${token.id})` : (token?.name ?? '')
      const [team, owner] = [teams.get(token?.user_id ?? 0), users.get(token?.user_id ?? 0)]
      if (team) return { team: team.name, name }
      return namesOf(owner, ({ username }) => ({ user: username, name }))
    }
    const channel = namesOf(channels.get(Number(first)), (name) => ({ name }))
    if (!channel || subject === 'channel') return channel
    const withKeys = keyedChannels.get(Number(first))
    return withKeys && digestsOf(withKeys, secrets).includes(second) ? { ...channel, channel_key: second } : undefined
  }
}

type Token = { id: number; name: string; user_id: number }
type User = { id: number; username: string; kind: number }
type KeyedChannel = { id: number; setting: string; key: string }

/** Returns the ids of tokens whose owner has another token of the same name. */
async function ambiguousTokens(reader: Knex, tokens: readonly Token[]): Promise<Set<number>> {
  const ids = new Set<number>()
  for (const { id, name, user_id } of tokens) {
    const twin = await reader('tokens').where({ name, user_id }).whereNull('deleted_at').whereNot({ id }).first('id')
    if (twin) ids.add(Number(id))
  }
  return ids
}

/** Looks up names that a document may use, in the database and in the document itself. */
export interface NameResolver {
  names: Names
  hasGroup(name: string): boolean
  hasTeam(name: string): Promise<boolean>
  hasMember(team: string, user: string): Promise<boolean>
  hasChannel(name: string): Promise<boolean>
  /**
   * Returns the digests of a channel's keys from the document or, if the document omits the key, from the database.
   * Returns an empty list if the channel has one key.
   */
  keysOf(channel: string): Promise<string[]>
}

/** Returns the limits of a document by name. Throws CONFIGURATION_INVALID with the path. */
export async function desiredLimits(
  definitions: readonly LimitDefinition[],
  resolver: NameResolver,
): Promise<Map<string, LimitFields>> {
  const limits = new Map<string, LimitFields>()
  const bySubject = new Map<string, Omit<CountedLimit, 'id'>[]>()
  for (const [at, definition] of definitions.entries()) {
    const path = `limits.${at}`
    const subject = await subjectAt(path, definition, resolver)
    const { measure, period = 'none', amount, time_zone = '', action = 'reject', wait_seconds } = definition
    // Check the limit with the subject `*`, because a subject that the document creates has no id yet.
    const otherFields = checkedAt(path, () =>
      checkLimit({
        ...{ measure, period, amount, time_zone, action },
        ...(wait_seconds !== undefined && { wait_seconds }),
        subject: subject.subject,
        subject_id: subject.subject === 'address' ? subject.name : EACH,
      }),
    )
    const identity = { ...subject, measure, ...(period !== 'none' && { period }) }
    const name = nameOf(identity)
    if (limits.has(name)) throw faultAt(path, 'configuration.twice', { name })
    limits.set(name, { ...identity, ...fieldsOf(otherFields) })
    const subjectName = nameOf({ ...subject, measure: 'concurrent' })
    const limitsOfSubject = bySubject.get(subjectName) ?? []
    limitsOfSubject.push(otherFields)
    bySubject.set(subjectName, limitsOfSubject)
    checkedAt(path, () => checkCombination(limitsOfSubject))
  }
  return limits
}

async function subjectAt(path: string, definition: LimitDefinition, resolver: NameResolver): Promise<Subject> {
  const { subject, name, user, team, channel_key: key } = definition
  const owners = [user, team].filter((owner) => owner !== undefined).length
  const [needed, allowed] =
    name === EACH
      ? [0, []]
      : subject === 'token'
        ? [1, ['user', 'team']]
        : subject === 'member'
          ? [1, ['team']]
          : [0, []]
  const extra = (['user', 'team'] as const).find((field) => definition[field] !== undefined && !allowed.includes(field))
  if (extra) throw faultAt(path, 'configuration.notFor', { field: extra, subject, name })
  if (owners !== needed) {
    throw faultAt(path, 'configuration.ownerMissing', { subject, name, owners: allowed.join(' / ') })
  }
  const needsKey = subject === 'channel-key' && name !== EACH
  if (needsKey !== (key !== undefined)) {
    throw faultAt(path, needsKey ? 'configuration.keyMissing' : 'configuration.keyUnneeded', { subject, name })
  }
  if (name !== EACH) await requireNamed(path, definition, resolver)
  const subjectNames = { subject, name, ...(user !== undefined && { user }), ...(team !== undefined && { team }) }
  return key === undefined
    ? subjectNames
    : { ...subjectNames, channel_key: await digestAt(path, { channel: name, key }, resolver) }
}

/** Throws CONFIGURATION_INVALID for a name that exists neither in the database nor in the document. */
async function requireNamed(
  path: string,
  { subject, name, user, team }: LimitDefinition,
  resolver: NameResolver,
): Promise<void> {
  const { names } = resolver
  if (user !== undefined && (await names.user(user)) === undefined) throw unknownAt(path, 'user', user)
  if (team !== undefined && !(await resolver.hasTeam(team))) throw unknownAt(path, 'team', team)
  if (subject === 'user' && (await names.user(name)) === undefined) throw unknownAt(path, 'user', name)
  if (subject === 'group' && !resolver.hasGroup(name)) throw unknownAt(path, 'group', name)
  if (subject.startsWith('channel') && !(await resolver.hasChannel(name))) throw unknownAt(path, 'channel', name)
  if (subject === 'member' && team !== undefined && !(await resolver.hasMember(team, name)))
    throw unknownAt(path, 'member', `${team}/${name}`)
  if (subject !== 'token') return
  const token = await names.token({ user, team }, name)
  if (token === undefined) throw unknownAt(path, 'token', `${user ?? `@${team}`}/${name}`)
  if (token === 'several') throw faultAt(path, 'configuration.tokenAmbiguous', { name })
}

async function digestAt(
  path: string,
  { channel, key }: { channel: string; key: string | number },
  { keysOf }: NameResolver,
): Promise<string> {
  const digests = await keysOf(channel)
  const digest = typeof key === 'number' ? digests[key - 1] : digests.find((each) => each === key)
  if (digest === undefined) throw unknownAt(path, 'key', `${channel}/${key}`)
  return digest
}

/** Converts a limit of `desiredLimits` to a row of the table. The limit's subject must exist. */
export async function limitToSet(fields: LimitFields, names: Names): Promise<NewLimit> {
  const { name, user, team, channel_key: key, ...limit } = fields
  const { subject } = limit
  const subject_id = async () => {
    if (name === EACH || subject === 'group' || subject === 'model' || subject === 'address') return name
    if (subject === 'user') return names.user(name)
    if (subject === 'token') return names.token({ user, team }, name)
    if (subject === 'member') return `${await names.team(team ?? '')}/${await names.user(name)}`
    const channel = (await names.channel(name))?.id
    return subject === 'channel-key' ? `${channel}/${key}` : channel
  }
  return { ...limit, period: limit.period ?? 'none', subject_id: String(await subject_id()) }
}

/** Returns the position of each key in its channel, starting at 1, by the channel's name and the key's digest. */
export async function keyPositions(reader: Knex, secrets: Secrets): Promise<Map<string, number>> {
  const rows = await reader('channels').orderBy('id').select('id', 'name', 'setting', 'key')
  const names = uniqueChannelNames(rows)
  const positions = rows.flatMap((row) =>
    digestsOf(row, secrets).map((digest, at) => [`${names.get(row.id)}/${digest}`, at + 1] as const),
  )
  return new Map(positions)
}

/** Returns a limit as in a configuration file, with a key's position, because digests differ between gateways. */
export function limitDefinition(fields: LimitFields, positions: ReadonlyMap<string, number>): LimitDefinition {
  const { name, channel_key: key } = fields
  return key === undefined ? fields : { ...fields, channel_key: positions.get(`${name}/${key}`) ?? key }
}
