import { type Actor, ROLE } from '../actor.ts'
import type { Database } from '../db/database.ts'
import { NEWEST_FIRST, readPage } from '../db/page.ts'
import { GatewayError } from '../errors.ts'
import { commaList, type Page, type Paging, pageBounds } from '../input.ts'
import { isRecord } from '../records.ts'
import type { PictureLinks } from './drawing-picture.ts'
import type { TaskTableName } from './lifecycle.ts'
import type { Drawing, Task } from './schema.ts'
import { parsedJson } from './stored-json.ts'

/**
 * Filters of a list. Empty texts and zeros do not filter. Time bounds are inclusive, in Unix milliseconds for drawings
 * and in Unix seconds for async tasks.
 */
interface TaskQuery {
  /** From 1. */
  page?: number
  /** Ignored for common users, like `user_id`. */
  channel_id?: number
  user_id?: number
  status?: string
  start_timestamp?: number
  end_timestamp?: number
}
interface DrawingFilter extends TaskQuery {
  mj_id?: string
  action?: string
}
interface TaskFilter extends TaskQuery {
  task_id?: string
  platform?: string
  action?: string
}

/** Reads drawings and async tasks. Common users see their own tasks, and administrators see all tasks. */
export interface Tasks {
  /** Returns a page of ten drawings, newest first. */
  listDrawings(actor: Actor, filter?: DrawingFilter): Promise<Drawing[]>
  /** Returns a page of ten async tasks, newest first. Only administrators see their channels. */
  listTasks(actor: Actor, filter?: TaskFilter): Promise<Task[]>
  /** Returns a page of drawings and the total, newest first. The caller chooses the size of the page. */
  pageOfDrawings(actor: Actor, filter: DrawingFilter & Paging): Promise<Page<Drawing>>
  /** Returns a page of async tasks and the total, newest first. The caller chooses the size of the page. */
  pageOfTasks(actor: Actor, filter: TaskFilter & Paging): Promise<Page<Task>>
  /** Returns a drawing. Throws TASK_NOT_FOUND, also if it belongs to another user and the actor is a common user. */
  getDrawing(actor: Actor, id: number): Promise<Drawing>
  /** Returns an async task. Throws TASK_NOT_FOUND, also for a common user who requests another user's task. */
  getTask(actor: Actor, id: number): Promise<Task>
}

const PAGE_SIZE = 10
// Not from the schemas: their package would be loaded at the start of each local command.
const DRAWING_COLUMNS = commaList(`
  id, code, user_id, action, mj_id, prompt, prompt_en, description, state, submit_time, start_time, finish_time,
  image_url, status, progress, fail_reason, channel_id, quota, buttons, properties
`)
const TASK_COLUMNS = commaList(`
  id, created_at, updated_at, task_id, platform, user_id, channel_id, quota, action, status, fail_reason, submit_time,
  start_time, finish_time, progress, properties, data
`)

export function createTasks({ db, pictureLinks }: { db: Database; pictureLinks: PictureLinks }): Tasks {
  const isAdmin = (actor: Actor) => actor.role >= ROLE.admin

  /** Returns a query of the rows that an actor may see. `exact` filters by columns. Its empty values do not filter. */
  function matching(
    table: TaskTableName,
    { actor, query, exact }: { actor: Actor; query: TaskQuery; exact: Record<string, string | undefined> },
  ) {
    const { channel_id, user_id, status, start_timestamp, end_timestamp } = query
    return db.reader(table).modify((where) => {
      if (!isAdmin(actor)) where.where({ user_id: actor.id })
      else {
        if (channel_id) where.where({ channel_id })
        if (user_id) where.where({ user_id })
      }
      for (const [column, value] of Object.entries({ ...exact, status })) if (value) where.where(column, value)
      if (start_timestamp) where.where('submit_time', '>=', start_timestamp)
      if (end_timestamp) where.where('submit_time', '<=', end_timestamp)
    })
  }

  /** Reads one page without the total. */
  async function read<Row>(rows: ReturnType<typeof matching>, columns: readonly string[], page = 1): Promise<Row[]> {
    const { offset } = pageBounds({ page, pageSize: PAGE_SIZE })
    const items = await rows
      .orderBy(NEWEST_FIRST)
      .limit(PAGE_SIZE)
      .offset(offset)
      .select(...columns)
    return items
  }

  async function find<Row>(
    table: TaskTableName,
    columns: readonly string[],
    { actor, id }: { actor: Actor; id: number },
  ): Promise<Row> {
    const row = await matching(table, { actor, query: {}, exact: {} })
      .where({ id })
      .first(...columns)
    if (!row) throw new GatewayError('TASK_NOT_FOUND', { id })
    return row
  }

  const drawings = (actor: Actor, query: DrawingFilter) =>
    matching('midjourneys', { actor, query, exact: { mj_id: query.mj_id, action: query.action } })
  const tasks = (actor: Actor, query: TaskFilter) => {
    const { task_id, platform, action } = query
    return matching('tasks', { actor, query, exact: { task_id, platform, action } })
  }
  const withPicture = (row: Drawing): Drawing => ({ ...row, image_url: pictureLinks.addressOf(row) })
  const toTask = (actor: Actor, row: StoredTask): Task => ({
    ...row,
    channel_id: isAdmin(actor) ? row.channel_id : 0,
    properties: toProperties(row.properties),
    data: parsedJson(row.data),
  })

  return {
    async listDrawings(actor, query = {}) {
      const rows = await read<Drawing>(drawings(actor, query), DRAWING_COLUMNS, query.page)
      return rows.map(withPicture)
    },
    async listTasks(actor, query = {}) {
      const rows = await read<StoredTask>(tasks(actor, query), TASK_COLUMNS, query.page)
      return rows.map((row) => toTask(actor, row))
    },
    async pageOfDrawings(actor, query) {
      const order = { columns: DRAWING_COLUMNS, order: NEWEST_FIRST }
      const page = await readPage<Drawing>(drawings(actor, query), query, order)
      return { ...page, items: page.items.map(withPicture) }
    },
    async pageOfTasks(actor, query) {
      const order = { columns: TASK_COLUMNS, order: NEWEST_FIRST }
      const page = await readPage<StoredTask>(tasks(actor, query), query, order)
      return { ...page, items: page.items.map((row) => toTask(actor, row)) }
    },
    getDrawing: async (actor, id) => withPicture(await find<Drawing>('midjourneys', DRAWING_COLUMNS, { actor, id })),
    getTask: async (actor, id) => toTask(actor, await find<StoredTask>('tasks', TASK_COLUMNS, { actor, id })),
  }
}

type StoredTask = Omit<Task, 'properties' | 'data'> & { properties: string; data: string | null }

/** Parses the properties of a task. Invalid text gets an `input`, which clients read without a check. */
function toProperties(text: string): Task['properties'] {
  const value = parsedJson(text)
  return isRecord(value) ? value : { input: '' }
}
