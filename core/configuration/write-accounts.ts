import type { Actor } from '../actor.ts'
import { GatewayError } from '../errors.ts'
import { grantKey, regrantKey } from '../management-keys/grant.ts'
import { createManagementKeys } from '../management-keys/management-keys.ts'
import { arrangeTeam } from '../teams/arrange.ts'
import { createTeam, deleteTeam } from '../teams/lifecycle.ts'
import { TEAM_ROLES, type TeamRole } from '../teams/team.ts'
import type { ConfigurationFields } from './fields.ts'
import { type KeyFields, keyExpiryOf, keyTitle, storedKeys } from './management-keys.ts'
import { type Names, namesIn } from './names.ts'
import type { ConfigurationChange, ConfigurationDocument } from './schema.ts'
import { memberOfField } from './teams.ts'
import type { Writers } from './write.ts'

/** Creates, changes and deletes teams, like the command `team`. Members are added without an invite. */
export async function writeTeams(
  actor: Actor,
  changes: readonly ConfigurationChange[],
  desired: ReadonlyMap<string, ConfigurationFields>,
  { trx, parts }: Writers,
): Promise<void> {
  if (changes.length === 0) return
  const names = namesIn(trx)
  for (const { name, action, fields } of changes) {
    const { group, enabled, ...roles } = desired.get(name) ?? {}
    if (action === 'delete') {
      await deleteTeam(trx, parts, actor, await teamId(names, name))
      continue
    }
    const changed = Object.keys(roles).filter((field) => fields.some((each) => each.field === field))
    const members = await membersById(changed, roles, names)
    const isNew = action === 'create'
    const id = isNew ? await createNew(actor, { name, members }, { trx, parts }) : await teamId(names, name)
    const arrangement = {
      id,
      group: typeof group === 'string' ? group : undefined,
      enabled: typeof enabled === 'boolean' ? enabled : undefined,
      roles: members,
    }
    await arrangeTeam(trx, parts, actor, arrangement)
  }
}

async function createNew(
  actor: Actor,
  { name, members }: { name: string; members: Map<number, TeamRole | undefined> },
  { trx, parts }: Pick<Writers, 'trx' | 'parts'>,
): Promise<number> {
  const [ownerId] = [...members].find(([, role]) => role === 'owner') ?? []
  if (ownerId === undefined) throw new Error(`team ${name} has no owner in the document`)
  const id = await createTeam(trx, parts, { name, ownerId })
  members.delete(ownerId)
  const after = { name, owner: ownerId }
  await parts.audit.write(trx, actor, { action: 'team.create', object: `team:${id}`, after })
  return id
}

async function membersById(
  fields: readonly string[],
  roles: ConfigurationFields,
  names: Names,
): Promise<Map<number, TeamRole | undefined>> {
  const members = new Map<number, TeamRole | undefined>()
  for (const field of fields) {
    const id = await names.user(memberOfField(field) ?? '')
    const role = TEAM_ROLES.find((each) => each === roles[field])
    if (id !== undefined) members.set(id, role)
  }
  return members
}

async function teamId(names: Names, name: string): Promise<number> {
  const id = await names.team(name)
  if (id === undefined) throw new GatewayError('TEAM_NOT_FOUND', { id: name })
  return id
}

/** Creates, changes and revokes management keys. */
export async function writeKeys(
  actor: Actor,
  changes: readonly ConfigurationChange[],
  { desired, document }: { desired: ReadonlyMap<string, KeyFields>; document: ConfigurationDocument },
  { trx, parts }: Writers,
): Promise<void> {
  if (changes.length === 0) return
  const stored = await storedKeys(trx)
  const names = namesIn(trx)
  for (const { name: title, action } of changes) {
    const row = stored.get(title)
    if (action === 'delete') {
      await createManagementKeys(parts).revoke(actor, row?.id ?? 0)
      continue
    }
    const definition = document.management_keys?.find((key) => keyTitle(key) === title)
    const fields = desired.get(title)
    if (!definition || !fields) throw new Error(`No management key ${title} in the document`)
    const { name, user, key, quota_max = null } = definition
    const keyFields = {
      ...{ name, key, quota_max },
      user_id: (await names.user(user)) ?? 0,
      scopes: fields.scopes.join(' '),
      expires_at: keyExpiryOf(fields),
    }
    if (row) await regrantKey(trx, parts, actor, { ...keyFields, id: row.id })
    else await grantKey(trx, parts, actor, keyFields)
  }
}
