import { type Actor, ROLE } from '../actor.ts'
import type { Database } from '../db/database.ts'
import { NEWEST_FIRST } from '../db/page.ts'
import { pageBounds } from '../input.ts'
import type { Options } from '../options/options.ts'
import { pictureAddress } from './drawing-picture.ts'
import type { Drawing, Task } from './schema.ts'
import { parsedJson } from './stored-json.ts'

/** Empty texts and zeros are open. Times are inclusive and in the unit of the list. */
interface TaskQuery {
  /** From 1. */
  page?: number
  /** Honoured for administrators. */
  channel_id?: number
  start_timestamp?: number
  end_timestamp?: number
}
/** Times in unix milliseconds. */
export interface DrawingFilter extends TaskQuery {
  mj_id?: string
}
/** Times in unix seconds. */
export interface TaskFilter extends TaskQuery {
  task_id?: string
  platform?: string
  status?: string
  action?: string
}

/** Drawings and async tasks, ten a page, newest first. Common users see their own, administrators everybody's. */
export interface Tasks {
  listDrawings(actor: Actor, filter?: DrawingFilter): Promise<Drawing[]>
  /** The channel is shown to administrators alone. */
  listTasks(actor: Actor, filter?: TaskFilter): Promise<Task[]>
}

const PAGE_SIZE = 10
const DRAWING_COLUMNS = [
  'id',
  'code',
  'user_id',
  'action',
  'mj_id',
  'prompt',
  'prompt_en',
  'description',
  'state',
  'submit_time',
  'start_time',
  'finish_time',
  'image_url',
  'status',
  'progress',
  'fail_reason',
  'channel_id',
  'quota',
  'buttons',
  'properties',
] as const
const TASK_COLUMNS = [
  'id',
  'created_at',
  'updated_at',
  'task_id',
  'platform',
  'user_id',
  'channel_id',
  'quota',
  'action',
  'status',
  'fail_reason',
  'submit_time',
  'start_time',
  'finish_time',
  'progress',
  'properties',
  'data',
] as const

export function createTasks({ db, options }: { db: Database; options: Options }): Tasks {
  const isAdmin = (actor: Actor) => actor.role >= ROLE.admin

  /** One page of a table; `exact` holds the filters that must be equal where they are given. */
  async function read<Row>(
    table: 'midjourneys' | 'tasks',
    columns: readonly string[],
    { actor, query, exact }: { actor: Actor; query: TaskQuery; exact: Record<string, string | undefined> },
  ): Promise<Row[]> {
    const { page = 1, channel_id, start_timestamp, end_timestamp } = query
    const { offset } = pageBounds({ page, pageSize: PAGE_SIZE })
    const rows = await db
      .reader(table)
      .modify((where) => {
        if (!isAdmin(actor)) where.where({ user_id: actor.id })
        else if (channel_id) where.where({ channel_id })
        for (const [column, value] of Object.entries(exact)) if (value) where.where(column, value)
        if (start_timestamp) where.where('submit_time', '>=', start_timestamp)
        if (end_timestamp) where.where('submit_time', '<=', end_timestamp)
      })
      .orderBy(NEWEST_FIRST)
      .limit(PAGE_SIZE)
      .offset(offset)
      .select(...columns)
    return rows as Row[]
  }

  return {
    async listDrawings(actor, query = {}) {
      const exact = { mj_id: query.mj_id }
      const rows = await read<Drawing>('midjourneys', DRAWING_COLUMNS, { actor, query, exact })
      return rows.map((row) => ({ ...row, image_url: pictureAddress(options, row) }))
    },

    async listTasks(actor, query = {}) {
      const { task_id, platform, status, action } = query
      const exact = { task_id, platform, status, action }
      const rows = await read<StoredTask>('tasks', TASK_COLUMNS, { actor, query, exact })
      return rows.map((row) => ({
        ...row,
        channel_id: isAdmin(actor) ? row.channel_id : 0,
        properties: toProperties(row.properties),
        data: parsedJson(row.data),
      }))
    },
  }
}

type StoredTask = Omit<Task, 'properties' | 'data'> & { properties: string; data: string | null }

/** Clients read `input` without looking whether there is an object. */
function toProperties(text: string): Task['properties'] {
  const value = parsedJson(text)
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? (value as Task['properties']) : { input: '' }
}
