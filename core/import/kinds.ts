import type { Knex } from 'knex'
import {
  abilitiesOf,
  countAbilities,
  PER_CHANNEL_MAX,
  ROUTED_COLUMNS,
  type RoutedChannel,
} from '../channels/routing/abilities.ts'
import { bulkInsert } from '../db/bulk-insert.ts'
import { inParts } from '../in-parts.ts'
import { REDEMPTION_STATUS } from '../redemption/status.ts'
import type { Secrets } from '../secrets.ts'
import { SHA256_KEY } from '../tokens/foreign-keys.ts'
import {
  type ResolveCollisions,
  resolveChannels,
  resolveNothing,
  resolveTokens,
  resolveUnique,
  resolveUsers,
} from './collisions.ts'
import { keyHash } from './key-hash.ts'
import { mapChannel } from './mappers/channels.ts'
import { withKeysOff } from './mappers/disabled-keys.ts'
import type { MappedRow, MapRow, RowKind } from './mappers/mapper.ts'
import { mapRedemption, mapTopUp } from './mappers/money-rows.ts'
import { mapToken } from './mappers/tokens.ts'
import { mapUser } from './mappers/users.ts'
import { mapDrawing, mapTask } from './mappers/work.ts'

/** Rules for importing rows of one kind. */
export interface ImportKind {
  readonly kind: RowKind
  readonly map: MapRow
  readonly resolveCollisions: ResolveCollisions
  /** Returns the columns that are derived from secrets, such as encrypted values and digests. */
  readonly sealed: (row: MappedRow, secrets: Secrets) => Record<string, string | null>
  /** Sums to compare between the source and the target. */
  readonly sums: readonly ('quota' | 'used')[]
  /**
   * Columns that a later import updates, if they have changed at the source and not in the target. Other columns keep
   * the target's value. With `all`, the row is compared and updated as a whole.
   */
  readonly updated: readonly string[] | 'all'
  /** Columns of `updated` that are stored encrypted. `MappedRow.secrets` has their values in clear text. */
  readonly encrypted?: readonly string[]
  /**
   * Columns and secrets whose changes at the source are only reported, with the text `what`. If no earlier import has
   * recorded the value, `before` is assumed as the earlier value. Without `before`, such a change is not reported.
   */
  readonly listed?: Readonly<Record<string, { what: string; before?: string }>>
  /** A later import updates only target rows that have these values. */
  readonly mayUpdate?: Record<string, string | number>
  /** Runs after rows were written, in the same transaction. `ids` are target ids. */
  readonly afterWrite?: (trx: Knex.Transaction, ids: readonly number[]) => Promise<void>
}

const noSealedColumns = (): Record<string, never> => ({})
const CHANNELS_AT_ONCE = 500

/** Kinds in the order of the import. A row refers only to rows of its own or an earlier kind. */
export const IMPORT_KINDS: readonly ImportKind[] = [
  {
    kind: 'users',
    map: mapUser,
    resolveCollisions: resolveUsers,
    sealed: ({ secrets: { access_token = '' } }, { seal, digest }) => ({
      access_token: access_token === '' ? null : seal(access_token),
      access_token_hash: access_token === '' ? null : digest(access_token),
    }),
    sums: ['quota', 'used'],
    updated: ['password', 'display_name', 'status', 'group', 'deleted_at'],
    listed: {
      username: { what: 'its name was changed at the source: it is kept here' },
      role: { what: 'its role was changed at the source: it is kept here' },
      email: { what: 'its mail address was changed at the source: it is kept here' },
      access_token: { what: 'its access token was changed at the source: only the old one works here' },
    },
  },
  {
    kind: 'channels',
    map: mapChannel,
    resolveCollisions: resolveChannels,
    sealed: ({ fields, secrets: { key = '', disabled_keys } }, secrets) => ({
      key: secrets.seal(key),
      other_info: withKeysOff(String(fields.other_info), JSON.parse(disabled_keys ?? '[]'), secrets),
    }),
    sums: ['used'],
    updated: [
      ...['type', 'status', 'base_url', 'other', 'models', 'group', 'model_mapping', 'priority', 'weight', 'setting'],
      'key',
    ],
    encrypted: ['key'],
    listed: {
      disabled_keys: {
        what: 'the disabled keys have changed at the source since the last import: change them here by hand',
        before: '',
      },
    },
    afterWrite: rebuildAbilities,
  },
  {
    kind: 'tokens',
    map: mapToken,
    resolveCollisions: resolveTokens,
    sealed: ({ secrets: { key = '' } }, secrets) => ({
      key: key.startsWith(SHA256_KEY) ? '' : secrets.seal(key),
      key_hash: keyHash(secrets, key),
    }),
    sums: ['quota', 'used'],
    updated: [
      ...['status', 'name', 'expired_time', 'unlimited_quota', 'model_limits_enabled', 'model_limits', 'allow_ips'],
      ...['group', 'deleted_at'],
    ],
    listed: { key: { what: 'its key was changed at the source: only the old one works here' } },
  },
  {
    kind: 'redemptions',
    map: mapRedemption,
    resolveCollisions: resolveUnique('redemptions', 'key', 'the code exists already'),
    sealed: noSealedColumns,
    sums: [],
    updated: ['status', 'redeemed_time', 'used_user_id', 'deleted_at'],
    mayUpdate: { status: REDEMPTION_STATUS.unused },
  },
  {
    kind: 'top_ups',
    map: mapTopUp,
    resolveCollisions: resolveUnique('top_ups', 'trade_no', 'the order number exists already'),
    sealed: noSealedColumns,
    sums: [],
    updated: ['status', 'quota', 'complete_time'],
    mayUpdate: { status: 'pending' },
  },
  {
    kind: 'midjourneys',
    map: mapDrawing,
    resolveCollisions: resolveNothing,
    sealed: noSealedColumns,
    sums: [],
    updated: 'all',
  },
  { kind: 'tasks', map: mapTask, resolveCollisions: resolveNothing, sealed: noSealedColumns, sums: [], updated: 'all' },
]

/** Returns the reason if the channel has too many abilities, else undefined. */
export function tooManyAbilities({ fields }: MappedRow): string | undefined {
  const pairs = countAbilities({ models: String(fields.models ?? ''), group: String(fields.group ?? '') })
  return pairs > PER_CHANNEL_MAX ? `it has ${pairs} pairs of model and group, more than ${PER_CHANNEL_MAX}` : undefined
}

async function rebuildAbilities(trx: Knex.Transaction, ids: readonly number[]): Promise<void> {
  for (const part of inParts(ids, CHANNELS_AT_ONCE)) {
    const channels: RoutedChannel[] = await trx('channels').whereIn('id', part).select(ROUTED_COLUMNS)
    await trx('abilities').whereIn('channel_id', part).delete()
    const abilities = channels.flatMap((channel) => abilitiesOf(channel))
    const columns = ['group', 'model', 'channel_id', 'enabled', 'priority', 'weight', 'tag'] as const
    const cells = abilities.map((ability) => columns.map((column) => ability[column]))
    await bulkInsert(trx, 'abilities', columns, cells)
  }
}
