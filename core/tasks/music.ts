import type { Database } from '../db/database.ts'
import { PLATFORM_IS } from './platform.ts'
import { parsedJson } from './stored-json.ts'

/** Whose tasks these are, among all async tasks. */
export const MUSIC_PLATFORM = 'suno'

/** A piece of music, or a text for one, as its owner's programs see it. Times are unix seconds, 0 for not yet. */
export interface MusicTask {
  task_id: string
  action: string
  status: string
  fail_reason: string
  submit_time: number
  start_time: number
  finish_time: number
  /** Text with a percent sign. */
  progress: string
  /** What the upstream made; null until it is known. */
  data: unknown
}

/** Music, as the relay needs it. */
export interface Music {
  /** A user's own tasks among these ids, oldest first; of several by one id, the newest. */
  own(userId: number, taskIds: readonly string[]): Promise<MusicTask[]>
  /** Where a user's task is: its channel, and which of its keys submitted it. */
  findPlace(userId: number, taskId: string): Promise<{ channel_id: number; key_digest: string } | undefined>
}

const COLUMNS = [
  'task_id',
  'action',
  'status',
  'fail_reason',
  'submit_time',
  'start_time',
  'finish_time',
  'progress',
  'data',
] as const

export function createMusic({ db }: { db: Database }): Music {
  const music = () => db.reader('tasks').whereRaw(PLATFORM_IS, [MUSIC_PLATFORM])
  return {
    async own(user_id, taskIds) {
      const rows: (Omit<MusicTask, 'data'> & { id: number; data: string | null })[] = await music()
        .where({ user_id })
        .whereIn('task_id', taskIds.filter(isPossible))
        .select('id', ...COLUMNS)
      // Asked for in an order, SQLite would read all of the user's tasks in that order.
      rows.sort((a, b) => Number(a.id) - Number(b.id))
      const newest = new Map(rows.map(({ id: _, ...row }) => [row.task_id, row]))
      return [...newest.values()].map((row) => ({ ...row, data: parsedJson(row.data) }))
    },
    async findPlace(user_id, task_id) {
      if (!isPossible(task_id)) return undefined
      return music().where({ user_id, task_id }).orderBy('id', 'desc').first('channel_id', 'key_digest')
    },
  }
}

/** PostgreSQL looks for no text with a NUL in it. */
const isPossible = (taskId: string) => !taskId.includes('\0')
