import { GatewayError } from '../../errors.ts'
import { SHA256_KEY } from '../../tokens/foreign-keys.ts'
import type { ImportedLimit } from '../limits.ts'
import type { Source, SourceRow } from '../sources/source.ts'
import { numericIdOf } from './config.ts'
import { limitsOf } from './limits.ts'

const KEYS = 'LiteLLM_VerificationToken'
const USERS = 'LiteLLM_UserTable'
const TEAMS = 'LiteLLM_TeamTable'
const NEVER = -1
const ALL_MODELS = new Set(['all-proxy-models', 'all-team-models', '*'])
/** If a user's `models` have this entry, the user may use only the models of teams. */
const NO_MODELS = 'no-default-models'
const ADMIN_ROLES = new Set(['proxy_admin'])
/** Name of the user who gets the keys without an existing user or team. */
const ORPHAN_OWNER = 'litellm'

export interface LitellmRows {
  users: SourceRow[]
  tokens: SourceRow[]
  limits: ImportedLimit[]
  unknownTables: string[]
  warnings: string[]
}

/**
 * Reads users, teams and keys of LiteLLM. Budgets are in dollars. The rest of a budget becomes the balance. Users
 * without a budget get `balance`. Throws IMPORT_SOURCE_UNKNOWN if the source is not a LiteLLM database.
 */
export function readLitellmDatabase(
  source: Source,
  { quotaPerUnit, balance }: { quotaPerUnit: number; balance: number },
): Promise<LitellmRows> {
  return source.snapshot(async () => {
    const tables = await source.tables()
    if (!tables.includes(KEYS)) {
      throw new GatewayError('IMPORT_SOURCE_UNKNOWN', { source: source.name, product: 'LiteLLM', tables: KEYS })
    }
    const readTable = (table: string) =>
      tables.includes(table) ? source.query(`SELECT * FROM ${source.quote(table)}`) : Promise.resolve([])
    const warnings: string[] = []
    const quota = (dollars: unknown) => Math.round((Number(dollars) || 0) * quotaPerUnit)
    const money = (row: SourceRow) => ({
      quota:
        row.max_budget === null || row.max_budget === undefined ? balance : quota(row.max_budget) - quota(row.spend),
      used_quota: quota(row.spend),
    })
    const keys = await readTable(KEYS)
    const userRows = await readTable(USERS)
    const importedUsers = userRows.map((row) => ({
      id: numericIdOf(`user ${row.user_id}`),
      username: text(row.user_alias) || text(row.user_email) || text(row.user_id),
      display_name: text(row.user_alias),
      email: text(row.user_email),
      role: ADMIN_ROLES.has(text(row.user_role)) ? 10 : 1,
      ...money(row),
    }))
    const teamRows = await readTable(TEAMS)
    const teams = teamRows.map((row) => ({
      id: numericIdOf(`team ${row.team_id}`),
      username: `team ${text(row.team_alias) || text(row.team_id)}`,
      display_name: text(row.team_alias),
      status: row.blocked === true ? 2 : 1,
      ...money(row),
    }))
    const ownerIds = new Set([...importedUsers, ...teams].map(({ id }) => id))
    const owners = [...importedUsers, ...teams]
    const ownerOf = (row: SourceRow): number => {
      const ownerNames = [row.team_id && `team ${row.team_id}`, row.user_id && `user ${row.user_id}`].filter(Boolean)
      const owner = ownerNames.map((name) => numericIdOf(String(name))).find((id) => ownerIds.has(id))
      return owner ?? numericIdOf(ORPHAN_OWNER)
    }
    const modelsOf = new Map<number, readonly string[] | undefined>()
    for (const row of userRows) modelsOf.set(numericIdOf(`user ${row.user_id}`), modelList(row.models))
    for (const row of teamRows) modelsOf.set(numericIdOf(`team ${row.team_id}`), modelList(row.models))
    const tokens = keys.map((row) => {
      const owner = ownerOf(row)
      return tokenOf(row, { owner, ownerModels: modelsOf.get(owner), quota, warnings })
    })
    const limitedOwners = [...modelsOf.values()].filter((models) => models !== undefined).length
    if (limitedOwners > 0)
      warnings.push(
        `${limitedOwners} users and teams may use some models only: their imported keys are limited to these models, but not the keys that they create later`,
      )
    if (tokens.some(({ user_id }) => user_id === numericIdOf(ORPHAN_OWNER))) {
      owners.push({
        id: numericIdOf(ORPHAN_OWNER),
        username: ORPHAN_OWNER,
        display_name: 'Keys of LiteLLM',
        status: 1,
        quota: balance,
        used_quota: 0,
      })
    }
    const limitLists = [
      limitsOf(keys, { what: 'keys', kind: 'tokens', idOf: keyId }),
      limitsOf(userRows, { what: 'users', kind: 'users', idOf: (row) => numericIdOf(`user ${row.user_id}`) }),
      limitsOf(teamRows, { what: 'teams', kind: 'users', idOf: (row) => numericIdOf(`team ${row.team_id}`) }),
    ]
    warnings.push(...limitLists.flatMap((each) => each.warnings))
    return {
      users: owners,
      tokens,
      limits: limitLists.flatMap(({ limits }) => limits),
      unknownTables: tables
        .filter((table) => table.startsWith('LiteLLM_') && ![KEYS, USERS, TEAMS].includes(table))
        .sort(),
      warnings,
    }
  })
}

interface TokenContext {
  owner: number
  /** The models that the owner may use. Undefined if all models are allowed. */
  ownerModels: readonly string[] | undefined
  quota: (dollars: unknown) => number
  warnings: string[]
}

function tokenOf(
  row: SourceRow,
  { owner, ownerModels, quota, warnings }: TokenContext,
): SourceRow & { user_id: number } {
  const hash = text(row.token).toLowerCase()
  const name = text(row.key_alias) || text(row.key_name) || 'key'
  const isLimited = row.max_budget !== null && row.max_budget !== undefined
  const keyModels = modelList(row.models)
  // The key allows a model only if the key's list and the owner's list have it.
  const models =
    keyModels && ownerModels ? keyModels.filter((model) => ownerModels.includes(model)) : (keyModels ?? ownerModels)
  const expires = row.expires
    ? Math.floor(new Date(`${String(row.expires).replace(' ', 'T').replace(/Z?$/, 'Z')}`).getTime() / 1000)
    : NEVER
  if (Number.isNaN(expires))
    warnings.push(`${name} expires at ${String(row.expires)}, which is not a time: it does not expire here`)
  return {
    id: keyId(row),
    user_id: owner,
    key: /^[0-9a-f]{64}$/.test(hash) ? SHA256_KEY + hash : '',
    status: row.blocked === true ? 2 : 1,
    name,
    expired_time: Number.isNaN(expires) ? NEVER : expires,
    remain_quota: isLimited ? quota(row.max_budget) - quota(row.spend) : 0,
    unlimited_quota: !isLimited,
    used_quota: quota(row.spend),
    model_limits_enabled: models !== undefined,
    model_limits: (models ?? []).join(','),
    allow_ips: '',
    group: '',
  }
}

const keyId = (row: SourceRow): number => numericIdOf(`key ${text(row.token).toLowerCase()}`)

/** Returns the allowed models, or undefined if all models are allowed. */
function modelList(value: unknown): string[] | undefined {
  const models = Array.isArray(value) ? value.map(String) : []
  if (models.includes(NO_MODELS)) return models.filter((model) => model !== NO_MODELS)
  return models.length === 0 || models.some((model) => ALL_MODELS.has(model)) ? undefined : models
}

const text = (value: unknown): string => (value === null || value === undefined ? '' : String(value).trim())
