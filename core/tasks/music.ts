import type { Database } from '../db/database.ts'
import { PLATFORM_IS } from './platform.ts'
import { parsedJson } from './stored-json.ts'

/** The platform of music tasks, among all async tasks. */
export const MUSIC_PLATFORM = 'suno'

/** A music or lyrics task as its owner's clients see it. Times are unix seconds, 0 for not yet. */
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
  /** The upstream's result; null until it is known. */
  data: unknown
}

/** The relay's queries of music tasks. */
export interface Music {
  /** Returns a user's own tasks among these ids, oldest first; of several with one id, the newest. */
  own(userId: number, taskIds: readonly string[]): Promise<MusicTask[]>
  /** Returns the channel of a user's task, and the channel key that submitted it. */
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
      // Sorted here: with ORDER BY, SQLite would read all of the user's tasks in that order.
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

/** PostgreSQL rejects text with NUL. */
const isPossible = (taskId: string) => !taskId.includes('\0')
