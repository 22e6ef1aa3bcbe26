import type { Knex } from 'knex'
import { type Actor, ROLE, requireRole } from '../actor.ts'
import type { Audit } from '../audit/audit.ts'
import { recordChange } from '../changes/changes.ts'
import type { Database } from '../db/database.ts'
import { fromJson, toJson } from '../db/json.ts'
import { GatewayError } from '../errors.ts'
import { oneOf, requireText } from '../input.ts'
import type { Secrets } from '../secrets.ts'
import type { Rows } from '../tables/rows.ts'
import {
  ACCOUNT_EVENTS,
  NOTICE_EVENTS,
  NOTICE_KINDS,
  NOTICE_LANGUAGES,
  type NoticeEvent,
  type NoticeKind,
} from './notice.ts'
import type { NewNoticeTarget, NoticeSettings, NoticeTarget, NoticeTargetChanges } from './schema.ts'
import { checkNoticeSettings, openSettings, shownAddress } from './settings.ts'

const TARGETS_MAX = 20
const NAME_LENGTH_MAX = 64
const COLUMNS = [
  ...['id', 'user_id', 'kind', 'name', 'settings', 'events', 'language', 'enabled', 'created_at', 'updated_at'],
]

type Row = Omit<Rows['notice_targets'], 'kind' | 'language'> & { kind: NoticeKind; language: 'en' | 'zh' }

/** Limits a query of `notice_targets` to targets that the actor may see. */
export function visibleTo(query: Knex.QueryBuilder, { id, role }: Actor): void {
  query.where((either) => {
    either.where('notice_targets.user_id', id)
    if (role >= ROLE.admin) either.orWhereNull('notice_targets.user_id')
  })
}

export interface TargetParts {
  db: Database
  secrets: Secrets
  audit: Audit
  now: () => number
}

/**
 * Manages targets of notices. Users manage their own targets. Administrators see the gateway's targets, and change
 * their name, events, language and `enabled`. Only root creates and deletes these targets, and changes their `settings`
 * (addresses, secrets).
 */
export function createNoticeTargets({ db, secrets, audit, now }: TargetParts) {
  const settingsOf = ({ settings }: Row) => openSettings(secrets, settings)

  function toTarget(row: Row): NoticeTarget {
    const { settings: _, ...fields } = row
    return {
      ...fields,
      id: Number(row.id),
      events: fromJson(row.events),
      enabled: Boolean(row.enabled),
      address: shownAddress(row.kind, settingsOf(row)),
      created_at: Number(row.created_at),
      updated_at: Number(row.updated_at),
    }
  }

  async function find(trx: Knex.Transaction, actor: Actor, id: number): Promise<Row> {
    const row = await trx('notice_targets')
      .where({ id })
      .modify(visibleTo, actor)
      .forUpdate()
      .first<Row | undefined>(...COLUMNS)
    if (!row) throw new GatewayError('NOTICE_TARGET_NOT_FOUND', { id })
    return row
  }

  async function recordWrite(trx: Knex.Transaction, actor: Actor, id: number, before: Row | undefined): Promise<Row> {
    const row = await trx('notice_targets')
      .where({ id })
      .first<Row | undefined>(...COLUMNS)
    if (!row) throw new GatewayError('NOTICE_TARGET_NOT_FOUND', { id })
    if (row.user_id === null) {
      const action = before ? ('notice.update' as const) : ('notice.create' as const)
      await audit.write(trx, actor, { action, object: `notice:${id}`, before: auditRow(before), after: auditRow(row) })
    } else {
      const teams: number[] = await trx('team_members')
        .where({ user_id: row.user_id })
        .orderBy('team_id')
        .pluck('team_id')
      // The next check (levels.ts) then compares the balances and budgets of the user and the user's teams.
      await recordChange(trx, 'user', [row.user_id, ...teams])
    }
    return row
  }

  /** Returns the fields of a target that the audit stores. */
  function auditRow(row: Row | undefined): Record<string, unknown> | null {
    if (!row) return null
    const { kind, name, events, enabled, address, language } = toTarget(row)
    return { kind, name, address, events, enabled, language, settings: `fingerprint:${fingerprint(settingsOf(row))}` }
  }
  const fingerprint = (settings: NoticeSettings) => secrets.digest(JSON.stringify(settings)).slice(0, 12)

  async function targetsOf(user_id: number | null): Promise<NoticeTarget[]> {
    const rows: Row[] = await db.reader('notice_targets').where({ user_id }).orderBy('id').select(COLUMNS)
    return rows.map(toTarget)
  }

  return {
    /** Returns the gateway's targets, without a check of permissions. */
    ofGateway: (): Promise<NoticeTarget[]> => targetsOf(null),

    /** Returns the actor's targets, or the gateway's targets with `gateway`. Throws PERMISSION_DENIED. */
    async list(actor: Actor, { gateway = false }: { gateway?: boolean | undefined } = {}): Promise<NoticeTarget[]> {
      if (gateway) requireRole(actor, ROLE.admin)
      return targetsOf(gateway ? null : actor.id)
    },

    /** Creates a target. Throws PERMISSION_DENIED, FIELD_*, EMAIL_INVALID, NOTICE_*. */
    async create(
      actor: Actor,
      { kind: kindName, gateway = false, enabled = true, ...target }: NewNoticeTarget,
    ): Promise<NoticeTarget> {
      if (gateway) requireRole(actor, ROLE.root)
      const kind = oneOf('kind', kindName, NOTICE_KINDS)
      const row = {
        user_id: gateway ? null : actor.id,
        kind,
        name: requireText('name', target.name, { min: 1, max: NAME_LENGTH_MAX }),
        settings: secrets.seal(JSON.stringify(checkNoticeSettings(kind, target.settings, { gateway }))),
        events: toJson(checkEvents(target.events, { gateway })),
        language: oneOf('language', target.language ?? 'en', NOTICE_LANGUAGES),
        enabled,
        created_at: now(),
        updated_at: now(),
      }
      return db.transaction(async (trx) => {
        await db.serialize(trx, `notice targets ${row.user_id}`)
        const others: number[] = await trx('notice_targets').where({ user_id: row.user_id }).pluck('id')
        if (others.length >= TARGETS_MAX) throw new GatewayError('NOTICE_TARGETS_TOO_MANY', { max: TARGETS_MAX })
        const [inserted] = await trx('notice_targets').insert(row).returning('id')
        return toTarget(await recordWrite(trx, actor, Number(inserted?.id), undefined))
      })
    },

    /** Updates a target. Absent settings keep their value. Throws like `create`, and NOTICE_TARGET_NOT_FOUND. */
    update: (
      actor: Actor,
      id: number,
      { name, settings, events, language, enabled }: NoticeTargetChanges,
    ): Promise<NoticeTarget> =>
      db.transaction(async (trx) => {
        const row = await find(trx, actor, id)
        const gateway = row.user_id === null
        if (gateway && settings !== undefined) requireRole(actor, ROLE.root)
        const changes = {
          ...(name !== undefined && { name: requireText('name', name, { min: 1, max: NAME_LENGTH_MAX }) }),
          ...(settings !== undefined && {
            settings: secrets.seal(
              JSON.stringify(checkNoticeSettings(row.kind, { ...settingsOf(row), ...settings }, { gateway })),
            ),
          }),
          ...(events !== undefined && { events: toJson(checkEvents(events, { gateway })) }),
          ...(language !== undefined && { language: oneOf('language', language, NOTICE_LANGUAGES) }),
          ...(enabled !== undefined && { enabled }),
        }
        await trx('notice_targets')
          .where({ id })
          .update({ ...changes, updated_at: now() })
        return toTarget(await recordWrite(trx, actor, id, row))
      }),

    /** Deletes a target and its deliveries. Throws NOTICE_TARGET_NOT_FOUND, PERMISSION_DENIED. */
    delete: (actor: Actor, id: number): Promise<NoticeTarget> =>
      db.transaction(async (trx) => {
        const row = await find(trx, actor, id)
        if (row.user_id === null) requireRole(actor, ROLE.root)
        await trx('notice_deliveries').where({ target_id: id }).delete()
        await trx('notice_targets').where({ id }).delete()
        if (row.user_id === null) {
          const act = { action: 'notice.delete' as const, object: `notice:${id}`, before: auditRow(row), after: null }
          await audit.write(trx, actor, act)
        }
        return toTarget(row)
      }),
  }
}

/** Returns the events without duplicates. Throws FIELD_CHOICE. Targets of users may only have account events. */
function checkEvents(events: readonly string[], { gateway }: { gateway: boolean }): NoticeEvent[] {
  const allowed: readonly NoticeEvent[] = gateway ? NOTICE_EVENTS : ACCOUNT_EVENTS
  return [...new Set(events.map((event) => oneOf('events', event, allowed)))]
}
