import type { Database } from '../db/database.ts'
import { PLATFORM_IS } from './lifecycle.ts'
import { parsedJson } from './stored-json.ts'

/** The value of the column `platform` for music tasks. */
export const MUSIC_PLATFORM = 'suno'

/** A music or lyrics task, with the columns that its owner sees. Times are Unix seconds, or 0 if not reached. */
interface MusicTask {
  task_id: string
  action: string
  status: string
  fail_reason: string
  submit_time: number
  start_time: number
  finish_time: number
  /** A number with a percent sign. */
  progress: string
  /** The upstream's result. null until there is one. */
  data: unknown
}

/** The relay's queries of music tasks. */
export type Music = ReturnType<typeof createMusic>

const COLUMNS = [
  ...['task_id', 'action', 'status', 'fail_reason', 'submit_time', 'start_time', 'finish_time', 'progress', 'data'],
]

export function createMusic({ db }: { db: Database }) {
  const music = () => db.reader('tasks').whereRaw(PLATFORM_IS, [MUSIC_PLATFORM])
  return {
    /** Returns the user's tasks with these ids, oldest first. Of several tasks with one id, returns only the newest. */
    async listOwn(user_id: number, taskIds: readonly string[]): Promise<MusicTask[]> {
      const rows: (Omit<MusicTask, 'data'> & { id: number; data: string | null })[] = await music()
        .where({ user_id })
        .whereIn('task_id', taskIds.filter(isPossible))
        .select('id', ...COLUMNS)
      // Sort in memory. With ORDER BY, SQLite would read all tasks of the user in that order.
      rows.sort((a, b) => Number(a.id) - Number(b.id))
      const newest = new Map(rows.map(({ id: _, ...row }) => [row.task_id, row]))
      return [...newest.values()].map((row) => ({ ...row, data: parsedJson(row.data) }))
    },
    /** Returns the channel of a user's task, and the digest of the key that submitted it, or undefined. */
    async findPlace(user_id: number, task_id: string): Promise<{ channel_id: number; key_digest: string } | undefined> {
      if (!isPossible(task_id)) return undefined
      return music().where({ user_id, task_id }).orderBy('id', 'desc').first('channel_id', 'key_digest')
    },
  }
}

/** Returns whether a row can have this id. NUL is excluded, because PostgreSQL rejects queries with it. */
const isPossible = (taskId: string) => !taskId.includes('\0')
