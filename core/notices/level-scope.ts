import type { Knex } from 'knex'
import { USER_STATUS } from '../actor.ts'
import { fromJson, type JsonText } from '../db/json.ts'
import { isAtLeast, type TeamRole } from '../teams/team.ts'
import type { MeasuredUsage } from './measured-usage.ts'
import type { NoticeEvent } from './notice.ts'

/** The accounts whose usage must be compared with thresholds, because a target gets their notices. */
export interface LevelScope {
  /** Whether a target of the gateway gets these notices. Such a target covers all accounts. */
  readonly coversAll: boolean
  /** Users who have a target for these notices, and teams with a member who has such a target. */
  readonly accounts: ReadonlySet<number>
  /** Returns whether a user's target gets the notices of this balance or budget. */
  hasRecipient(usage: Pick<MeasuredUsage, 'event' | 'userId' | 'memberId'>): boolean
}

const EVENTS: readonly string[] = ['balance.reached', 'budget.reached'] satisfies MeasuredUsage['event'][]

export async function readLevelScope(db: Knex): Promise<LevelScope> {
  const rows: { user_id: number | null; events: JsonText<NoticeEvent[]> }[] = await db('notice_targets')
    .where({ enabled: true })
    .select('user_id', 'events')
  const targetRows = rows.filter(({ events }) => fromJson(events).some((event) => EVENTS.includes(event)))
  const users = new Set(targetRows.flatMap(({ user_id }) => (user_id === null ? [] : [user_id])))
  const teams = users.size === 0 ? new Map<number, Set<string>>() : await readTeams(db)
  return {
    coversAll: targetRows.some(({ user_id }) => user_id === null),
    accounts: new Set([...users, ...teams.keys()]),
    hasRecipient({ event, userId, memberId }) {
      const recipients = teams.get(userId)
      return users.has(userId) || Boolean(recipients?.has(event) || recipients?.has(`${event} ${memberId}`))
    },
  }
}

/**
 * Returns, by team id, the events that targets of team members get. If the owner or an admin gets an event, the set
 * contains the event. If a member gets an event only for the member's own keys, the set contains `event user-id`.
 */
async function readTeams(db: Knex): Promise<Map<number, Set<string>>> {
  const rows: { team_id: number; user_id: number; role: TeamRole; events: JsonText<NoticeEvent[]> }[] = await db(
    'notice_targets',
  )
    .join('team_members', 'team_members.user_id', 'notice_targets.user_id')
    .join('users', 'users.id', 'team_members.user_id')
    .where('notice_targets.enabled', true)
    .where('users.status', USER_STATUS.enabled)
    .whereNull('users.deleted_at')
    .select('team_id', 'team_members.user_id', 'team_members.role', 'events')
  const teams = new Map<number, Set<string>>()
  for (const { team_id, user_id, role, events } of rows) {
    const subscribed = fromJson(events).filter((event) => EVENTS.includes(event))
    const teamEvents = isAtLeast(role, 'admin')
      ? subscribed
      : subscribed.filter((event) => event === 'budget.reached').map((event) => `${event} ${user_id}`)
    if (teamEvents.length > 0) teams.set(team_id, new Set([...(teams.get(team_id) ?? []), ...teamEvents]))
  }
  return teams
}
