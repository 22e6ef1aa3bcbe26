import type { Database } from '../db/database.ts'
import type { Rows } from '../tables/rows.ts'

const COLUMNS = [
  ...['id', 'user_id', 'action', 'mj_id', 'prompt', 'prompt_en', 'description', 'state', 'submit_time', 'start_time'],
  ...['finish_time', 'image_url', 'video_url', 'status', 'progress', 'fail_reason', 'channel_id', 'key_digest'],
  ...['buttons', 'properties', 'bot_type', 'custom_id'],
] as const
/** A drawing, with the columns that clients see. Times are Unix ms. `buttons` and `properties` are JSON text. */
export type OwnDrawing = Pick<Rows['midjourneys'], (typeof COLUMNS)[number]>

export interface Picture {
  image_url: string
  channel_id: number
  status: string
}

/**
 * Reads drawings by their upstream's id. Several rows can have the same id, because a dialog and its MODAL action are
 * one task upstream. The newest row counts.
 */
export type Drawings = ReturnType<typeof createDrawings>

const MJ_ID_LENGTH_MAX = 255

export function createDrawings({ db }: { db: Pick<Database, 'reader'> }) {
  const newestFirst = (mj_id: string) => db.reader('midjourneys').where({ mj_id }).orderBy('id', 'desc')

  return {
    /** Returns a drawing of a user, or undefined if the user has no drawing with this id. */
    async findOwn(userId: number, mjId: string): Promise<OwnDrawing | undefined> {
      if (!isId(mjId)) return undefined
      return newestFirst(mjId).where({ user_id: userId }).first(COLUMNS)
    },
    /** Returns the user's drawings with these ids, newest first. Each id occurs once. */
    async listOwn(userId: number, mjIds: readonly string[]): Promise<OwnDrawing[]> {
      const rows: OwnDrawing[] = await db
        .reader('midjourneys')
        .where({ user_id: userId })
        .whereIn('mj_id', mjIds.filter(isId))
        .select(COLUMNS)
      // Sort in memory. With ORDER BY, SQLite would read all rows of the user.
      const seen = new Set<string>()
      return rows.sort((a, b) => b.id - a.id).filter(({ mj_id }) => !seen.has(mj_id) && seen.add(mj_id))
    },
    /** Returns the newest image with this id whose owner passes `isAllowed`. */
    async findPicture(mjId: string, isAllowed: (userId: number) => boolean): Promise<Picture | undefined> {
      if (!isId(mjId)) return undefined
      const pictures: (Picture & { user_id: number })[] = await newestFirst(mjId)
        .whereNot({ image_url: '' })
        .select('image_url', 'channel_id', 'status', 'user_id')
      return pictures.find(({ user_id }) => isAllowed(user_id))
    },
  }
}

/** Returns whether a row can have this id. NUL is excluded, because PostgreSQL rejects queries with it. */
function isId(text: string): boolean {
  return text !== '' && text.length <= MJ_ID_LENGTH_MAX && !text.includes('\0')
}
