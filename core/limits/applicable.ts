import type { LiveChannel } from '../channels/routing/directory.ts'
import type { LiveToken, LiveUser } from '../tokens/directory.ts'
import { countedAddress } from './address.ts'
import type { Counter } from './counter.ts'
import { CALLER_SUBJECTS, EACH, type LimitSubject, type LiveLimit } from './limit.ts'
import type { Limiter } from './limiter.ts'

/** The properties of a request that decide which limits apply. */
export interface LimitedRequest {
  readonly token: LiveToken
  readonly user: LiveUser
  readonly group: string
  readonly model: string
  readonly address: string
}

/** Maximum number of cached lists of counters per API key. Clients can send any model name, from many addresses. */
const LISTS_MAX = 1000
const NONE: readonly Counter[] = []

/** The cached lists of counters for one API key. */
interface KeyLists {
  readonly byRequest: Map<string, readonly Counter[]>
  /** The properties of the last request, and its list. Most keys repeat the same user, group, model and address. */
  last: (Omit<LimitedRequest, 'token'> & { readonly list: readonly Counter[] }) | undefined
}

/** The limits of one kind of subject: defaults for each subject (`each`), and limits of single subjects. */
interface SubjectLimits {
  readonly each: readonly LiveLimit[]
  readonly byId: ReadonlyMap<string, readonly LiveLimit[]>
}

/**
 * Finds the limits that apply to a request. The cache needs no invalidation, because the change feed replaces the
 * objects that are its keys. A change of a limit replaces the whole `ApplicableLimits`.
 */
export class ApplicableLimits {
  private readonly limits: Readonly<Record<LimitSubject, SubjectLimits>>
  private readonly listsOfTokens = new WeakMap<LiveToken, KeyLists>()
  private readonly listOfChannels = new WeakMap<LiveChannel, readonly Counter[]>()
  private readonly hasAddresses: boolean
  /** Whether there are limits that are checked before a channel is chosen. */
  readonly hasCallerLimits: boolean
  /** Whether there are limits of channels or their keys. */
  readonly hasChannelLimits: boolean

  constructor(
    limits: readonly LiveLimit[],
    private readonly limiter: Limiter,
  ) {
    const forSubject = (subject: LimitSubject) => groupById(limits.filter((limit) => limit.subject === subject))
    this.limits = {
      token: forSubject('token'),
      user: forSubject('user'),
      group: forSubject('group'),
      model: forSubject('model'),
      address: forSubject('address'),
      channel: forSubject('channel'),
      'channel-key': forSubject('channel-key'),
      member: forSubject('member'),
    }
    this.hasAddresses = !isEmpty(this.limits.address)
    this.hasCallerLimits = CALLER_SUBJECTS.some((subject) => !isEmpty(this.limits[subject]))
    this.hasChannelLimits = !isEmpty(this.limits.channel) || !isEmpty(this.limits['channel-key'])
  }

  /** Returns the counters of all limits that apply to a request before a channel is chosen. Empty if there are none. */
  countersOfCaller(request: LimitedRequest): readonly Counter[] {
    const { token, user, group, model, address } = request
    let lists = this.listsOfTokens.get(token)
    if (!lists) {
      lists = { byRequest: new Map(), last: undefined }
      this.listsOfTokens.set(token, lists)
    }
    const { last } = lists
    if (last?.user === user && last.group === group && last.model === model && last.address === address)
      return last.list
    const list = this.cachedListFor(lists.byRequest, request)
    lists.last = { user, group, model, address, list }
    return list
  }

  private cachedListFor(lists: KeyLists['byRequest'], request: LimitedRequest): readonly Counter[] {
    const { user, group, model, address } = request
    // The key includes the user, because the playground has one token for all users.
    const key = `${user.id}\n${group}\n${model}${this.hasAddresses ? `\n${address}` : ''}`
    const cached = lists.get(key)
    if (cached) return cached
    if (lists.size >= LISTS_MAX) lists.clear()
    const list = this.listFor(request)
    lists.set(key, list)
    return list
  }

  private listFor({ token, user, group, model, address }: LimitedRequest): readonly Counter[] {
    const list = [
      // The playground's token has id 0 and no limits.
      ...(token.id === 0 ? NONE : this.resolve('token', String(token.id))),
      // For the key of a team, the limits of the member who created the key apply, because a team has no limits.
      ...this.resolve('user', String(token.memberId || user.id)),
      ...(token.memberId === 0 ? NONE : this.resolve('member', `${user.id}/${token.memberId}`)),
      ...this.resolve('group', group),
      ...this.resolve('model', model),
      ...(this.hasAddresses
        ? this.resolve('address', countedSubjectIdOf({ subject: 'address', subject_id: address }))
        : NONE),
    ]
    return list.length === 0 ? NONE : list
  }

  /** Returns the counters of a channel and, if the channel has several keys, of the chosen key. */
  countersOfChannel(channel: LiveChannel): readonly Counter[] {
    const cached = this.listOfChannels.get(channel)
    if (cached) return cached
    const { id, keyName } = channel
    const list = [
      ...this.resolve('channel', String(id)),
      ...(keyName ? this.resolve('channel-key', `${id}/${keyName.digest}`) : NONE),
    ]
    this.listOfChannels.set(channel, list)
    return list
  }

  private resolve(subject: LimitSubject, id: string): readonly Counter[] {
    return limitsOf(this.limits[subject], id).map((limit) => this.limiter.counter(limit, id))
  }
}

const isEmpty = ({ each, byId }: SubjectLimits): boolean => each.length === 0 && byId.size === 0

function groupById(limits: readonly LiveLimit[]): SubjectLimits {
  const byId = new Map<string, LiveLimit[]>()
  for (const limit of limits) {
    if (limit.subject_id === EACH) continue
    const id = countedSubjectIdOf(limit)
    const before = byId.get(id)
    if (before) before.push(limit)
    else byId.set(id, [limit])
  }
  return { each: limits.filter(({ subject_id }) => subject_id === EACH), byId }
}

/**
 * Returns the id by which requests are counted. Normalizes addresses, because an IPv6 address counts as its /64, and
 * because earlier versions stored addresses as administrators entered them.
 */
export const countedSubjectIdOf = ({ subject, subject_id }: Pick<LiveLimit, 'subject' | 'subject_id'>): string =>
  subject === 'address' ? (countedAddress(subject_id) ?? subject_id) : subject_id

/** Returns a subject's own limits, and the defaults that these do not replace. */
function limitsOf({ each, byId }: SubjectLimits, id: string): readonly LiveLimit[] {
  const ownLimits = byId.get(id)
  return ownLimits ? [...ownLimits, ...withoutReplaced(each, ownLimits)] : each
}

/**
 * Returns the defaults that no own limit of the subject replaces. An own limit replaces the default of the same measure
 * and period only if an administrator set it. Otherwise users could remove a default by setting a limit.
 */
export function withoutReplaced<L extends LiveLimit>(defaults: readonly L[], ownLimits: readonly LiveLimit[]): L[] {
  return defaults.filter(
    ({ measure, period }) =>
      !ownLimits.some((limit) => limit.set_by_admin && limit.measure === measure && limit.period === period),
  )
}
