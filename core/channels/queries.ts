import type { Knex } from 'knex'
import { type Actor, ROLE, requireRole } from '../actor.ts'
import type { Database } from '../db/database.ts'
import { whereContains, whereListed } from '../db/like.ts'
import { NEWEST_FIRST, orderOf, readPage, type Sort } from '../db/page.ts'
import { requireRow } from '../db/require-row.ts'
import { GatewayError } from '../errors.ts'
import { ID_MAX, type Page, type Paging, pageBounds } from '../input.ts'
import type { Secrets } from '../secrets.ts'
import { CHANNEL_ROW_COLUMNS, type Channel } from './channel.ts'
import { checkIds } from './check.ts'
import { keyDigest } from './keys/key-ring.ts'
import { splitKeys } from './keys/keys.ts'
import { disabledKeysIn } from './settings/other-info.ts'
import { parseSettings } from './settings/settings.ts'

/** Sort columns of channels. They need no index, because there are few channels. */
export const CHANNEL_SORTS = [
  'id',
  'name',
  'type',
  'status',
  'response_time',
  'used_quota',
  'balance',
  'priority',
  'weight',
  'tag',
  'created_time',
] as const

/** Order and grouping of a list. */
interface ChannelView {
  /** Sorts by id, newest first, instead of by priority. */
  newestFirst?: boolean
  /** Returns a page of the tags of matching channels, with all channels of each tag. */
  byTag?: boolean
}

export interface ChannelQuery extends ChannelView, Paging, Sort<(typeof CHANNEL_SORTS)[number]> {
  /** Part of a name, or an id. */
  keyword?: string
  group?: string
  /** Part of the list of models. */
  model?: string
  status?: number
  tag?: string
  type?: number
  /** If present, returns only channels with these ids. */
  ids?: readonly number[]
}

interface ChannelSearch {
  /** Part of a name, an id, or a complete key. A channel with several keys matches by any of them. */
  keyword?: string
  /** Complete name of one of the channel's groups. */
  group?: string
  /** Part of the list of models. */
  model?: string
}

type StoredChannel = Omit<Channel, 'key' | 'multi_key' | 'model_mapping'> & {
  key: string
  model_mapping: string | null
}

const STORED_COLUMNS = [...CHANNEL_ROW_COLUMNS, 'key'] as const
const PRIORITY_FIRST = [{ column: 'priority', order: 'desc' as const }, ...NEWEST_FIRST]

/** Queries for channels. Their results never include the key. */
export function createChannelQueries({ db, secrets }: { db: Database; secrets: Secrets }) {
  const channels = () => db.reader('channels')
  // A missing mapping becomes an empty text, because clients of the documented API would show `null` to users.
  const toChannel = (row: StoredChannel): Channel => ({
    ...row,
    key: '',
    model_mapping: row.model_mapping ?? '',
    ...multiKeyOf(row, secrets),
  })

  async function readChannels(matching: Knex.QueryBuilder, { newestFirst }: ChannelView): Promise<Channel[]> {
    const rows: StoredChannel[] = await matching
      .orderBy(newestFirst ? NEWEST_FIRST : PRIORITY_FIRST)
      .select(...STORED_COLUMNS)
    return rows.map(toChannel)
  }

  /**
   * Returns the ids of channels with this key. Sealing is random, so sealed keys cannot be compared and must be
   * decrypted. Only sealed keys of the same length and lists of several keys can match, so only these are decrypted.
   */
  async function idsByKey(key: string): Promise<number[]> {
    const rows: Pick<StoredChannel, 'id' | 'key' | 'setting'>[] = await channels()
      .whereRaw('length(??) = ?', ['key', secrets.seal(key).length])
      .orWhereLike('setting', '%multi_key_mode%')
      .select('id', 'key', 'setting')
    const hasKey = (row: Pick<StoredChannel, 'key' | 'setting'>) => {
      const text = secrets.open(row.key)
      return text === key || (parseSettings(row.setting).multiKeyMode !== undefined && splitKeys(text).includes(key))
    }
    return rows.filter(hasKey).map(({ id }) => id)
  }

  function whereNamed(either: Knex.QueryBuilder, keyword: string): void {
    whereContains(either, 'name', keyword)
    if (/^\d{1,10}$/.test(keyword) && Number(keyword) <= ID_MAX) either.orWhere('id', Number(keyword))
  }

  async function pageOfTags(matching: Knex.QueryBuilder, query: Paging & ChannelView): Promise<Page<Channel>> {
    const { page, page_size, offset } = pageBounds(query)
    const tagged = matching.clone().whereNotNull('tag').where('tag', '<>', '')
    const { total } = requireRow(await tagged.countDistinct({ total: 'tag' }).first())
    const tags: string[] = await tagsOf(matching).orderBy('tag').limit(page_size).offset(offset).pluck('tag')
    return { items: await readChannels(channels().whereIn('tag', tags), query), total, page, page_size }
  }

  return {
    /** Returns a channel. Throws CHANNEL_NOT_FOUND. */
    async get(actor: Actor, id: number): Promise<Channel> {
      requireRole(actor, ROLE.admin)
      const row = await channels()
        .where({ id })
        .first(...STORED_COLUMNS)
      if (!row) throw new GatewayError('CHANNEL_NOT_FOUND', { id })
      return toChannel(row)
    },

    /**
     * Returns a page, highest priority first by default. With `byTag`, a page consists of tags, and the total counts
     * tags. Throws PARAMETERS_WRONG for an empty list of ids, and FIELD_TOO_MANY for too many ids.
     */
    async list(actor: Actor, query: ChannelQuery = {}): Promise<Page<Channel>> {
      requireRole(actor, ROLE.admin)
      const { keyword, group, model, status, tag, type, ids, newestFirst = false, byTag } = query
      if (ids) checkIds(ids)
      const matching = channels().modify((where) => {
        if (status) where.where({ status })
        if (tag) where.where({ tag })
        if (type) where.where({ type })
        if (ids) where.whereIn('id', ids)
        if (group) whereListed(where, 'group', group)
        if (model) whereContains(where, 'models', model)
        if (keyword) where.where((either) => whereNamed(either, keyword))
      })
      if (byTag) return pageOfTags(matching, { ...query, newestFirst })
      const page = await readPage<StoredChannel>(matching, query, {
        columns: STORED_COLUMNS,
        order: orderOf(query, newestFirst ? NEWEST_FIRST : PRIORITY_FIRST),
      })
      return { ...page, items: page.items.map(toChannel) }
    },

    /** Returns one page of channels or, with `byTag`, the channels of one page of tags. */
    async browse(actor: Actor, { byTag, ...view }: ChannelView & Paging): Promise<Channel[]> {
      requireRole(actor, ROLE.admin)
      const { page_size, offset } = pageBounds(view)
      if (!byTag) return readChannels(channels().limit(page_size).offset(offset), view)
      const tags = tagsOf(channels()).orderBy('tag').limit(page_size).offset(offset)
      return readChannels(channels().whereIn('tag', tags), view)
    },

    /** Returns all matching channels. With `byTag`, returns all channels of the tags of matching channels. */
    async search(
      actor: Actor,
      { keyword, group, model, byTag, ...view }: ChannelSearch & ChannelView,
    ): Promise<Channel[]> {
      requireRole(actor, ROLE.admin)
      const idsWithKey = keyword ? await idsByKey(keyword) : []
      const matching = channels().modify((where) => {
        if (keyword) where.where((either) => either.whereIn('id', idsWithKey).orWhere((or) => whereNamed(or, keyword)))
        if (model) whereContains(where, 'models', model)
        if (group) whereListed(where, 'group', group)
      })
      return readChannels(byTag ? channels().whereIn('tag', tagsOf(matching)) : matching, view)
    },
  }
}

/** Returns a query for the distinct tags of the matching channels. */
function tagsOf(matching: Knex.QueryBuilder): Knex.QueryBuilder {
  return matching.whereNotNull('tag').where('tag', '<>', '').distinct('tag')
}

/** Returns the mode, the number of keys and the disabled keys; an empty object if the channel has one key. */
function multiKeyOf({ setting, key, other_info }: StoredChannel, secrets: Secrets): Pick<Channel, 'multi_key'> {
  const mode = parseSettings(setting).multiKeyMode
  if (!mode) return {}
  const keys = splitKeys(secrets.open(key))
  const disabledKeys = Object.entries(disabledKeysIn(other_info))
  const digests = disabledKeys.length ? keys.map((each) => keyDigest(secrets, each)) : []
  const listed = disabledKeys.flatMap(([digest, { reason, time }]) => {
    const at = digests.indexOf(digest)
    return at < 0 ? [] : [{ index: at + 1, digest, reason, time }]
  })
  return { multi_key: { mode, keys: keys.length, set_aside: listed } }
}
