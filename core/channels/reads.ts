import type { Knex } from 'knex'
import { type Actor, ROLE, requireRole } from '../actor.ts'
import type { Database } from '../db/database.ts'
import { whereContains, whereListed } from '../db/like.ts'
import { NEWEST_FIRST, readPage } from '../db/page.ts'
import { GatewayError } from '../errors.ts'
import { type Page, type Paging, pageBounds } from '../input.ts'
import type { Secrets } from '../secrets.ts'
import { CHANNEL_COLUMNS, type Channel } from './channel.ts'

export interface ChannelQuery extends Paging {
  /** Part of a name, or an id. */
  keyword?: string
  group?: string
  model?: string
  status?: number
  tag?: string
}

/** How the console shows channels: newest first instead of by priority; by tag, with all channels of each. */
export interface ChannelView {
  newestFirst?: boolean
  byTag?: boolean
}

export interface ChannelSearch {
  /** Part of a name, an id, or a whole key. */
  keyword?: string
  /** A whole entry of the list of groups. */
  group?: string
  /** Part of the list of models. */
  model?: string
}

/** The key is never part of what is read. */
export interface ChannelReads {
  /** Throws CHANNEL_NOT_FOUND. */
  get(actor: Actor, id: number): Promise<Channel>
  /** Highest priority first. */
  list(actor: Actor, query?: ChannelQuery): Promise<Page<Channel>>
  /** One page of channels; by tag, one page of tags. */
  browse(actor: Actor, view: ChannelView & Paging): Promise<Channel[]>
  /** All that match; by tag, all channels of the tags of those that match. */
  search(actor: Actor, search: ChannelSearch & ChannelView): Promise<Channel[]>
}

const PRIORITY_FIRST = [{ column: 'priority', order: 'desc' as const }, ...NEWEST_FIRST]
const ID_MAX = 2 ** 31 - 1

export function createChannelReads({ db, secrets }: { db: Database; secrets: Secrets }): ChannelReads {
  const channels = () => db.reader('channels')
  const withoutKey = (row: Omit<Channel, 'key'>): Channel => ({ ...row, key: '' })

  async function show(matching: Knex.QueryBuilder, { newestFirst }: ChannelView): Promise<Channel[]> {
    const rows = await matching.orderBy(newestFirst ? NEWEST_FIRST : PRIORITY_FIRST).select(...CHANNEL_COLUMNS)
    return (rows as Omit<Channel, 'key'>[]).map(withoutKey)
  }

  /** Keys are sealed, each time to another text; but to one whose length tells that of the key. */
  async function idsByKey(key: string): Promise<number[]> {
    const rows = await channels()
      .whereRaw('length(??) = ?', ['key', secrets.seal(key).length])
      .select('id', 'key')
    return rows.filter((row) => secrets.open(row.key) === key).map(({ id }) => id)
  }

  function named(either: Knex.QueryBuilder, keyword: string): void {
    whereContains(either, 'name', keyword)
    if (/^\d{1,10}$/.test(keyword) && Number(keyword) <= ID_MAX) either.orWhere('id', Number(keyword))
  }

  return {
    async get(actor, id) {
      requireRole(actor, ROLE.admin)
      const row = await channels()
        .where({ id })
        .first(...CHANNEL_COLUMNS)
      if (!row) throw new GatewayError('CHANNEL_NOT_FOUND', { id })
      return withoutKey(row)
    },

    async list(actor, query = {}) {
      requireRole(actor, ROLE.admin)
      const { keyword, group, model, status, tag } = query
      const matching = channels().modify((where) => {
        if (status) where.where({ status })
        if (tag) where.where({ tag })
        if (group) whereListed(where, 'group', group)
        if (model) whereListed(where, 'models', model)
        if (keyword) where.where((either) => named(either, keyword))
      })
      const page = await readPage<Omit<Channel, 'key'>>(matching, query, {
        columns: CHANNEL_COLUMNS,
        order: PRIORITY_FIRST,
      })
      return { ...page, items: page.items.map(withoutKey) }
    },

    async browse(actor, { byTag, ...view }) {
      requireRole(actor, ROLE.admin)
      const { page_size, offset } = pageBounds(view)
      if (!byTag) return show(channels().limit(page_size).offset(offset), view)
      const tags = tagsOf(channels()).orderBy('tag').limit(page_size).offset(offset)
      return show(channels().whereIn('tag', tags), view)
    },

    async search(actor, { keyword, group, model, byTag, ...view }) {
      requireRole(actor, ROLE.admin)
      const byKey = keyword ? await idsByKey(keyword) : []
      const matching = channels().modify((where) => {
        if (keyword) where.where((either) => either.whereIn('id', byKey).orWhere((or) => named(or, keyword)))
        if (model) whereContains(where, 'models', model)
        if (group) whereListed(where, 'group', group)
      })
      return show(byTag ? channels().whereIn('tag', tagsOf(matching)) : matching, view)
    },
  }
}

/** The tags of what matches, each once. */
function tagsOf(matching: Knex.QueryBuilder): Knex.QueryBuilder {
  return matching.whereNotNull('tag').where('tag', '<>', '').distinct('tag')
}
