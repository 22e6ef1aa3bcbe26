import type { Database } from '../db/database.ts'

/**
 * A drawing, with the columns that drawing clients see. Times are unix milliseconds; `buttons` and `properties` are JSON text.
 */
export interface OwnDrawing {
  id: number
  user_id: number
  action: string
  mj_id: string
  prompt: string
  prompt_en: string
  description: string
  state: string
  submit_time: number
  start_time: number
  finish_time: number
  image_url: string
  video_url: string
  status: string
  progress: string
  fail_reason: string
  channel_id: number
  /** Digest of the channel key that submitted the drawing; '' if the channel has one key. */
  key_digest: string
  buttons: string
  properties: string
  bot_type: string
  custom_id: string
}

export interface Picture {
  image_url: string
  channel_id: number
  status: string
}

/**
 * Reads drawings by their upstream's id. An id can have several rows, because a window and its modal are one task upstream. The
 * newest row counts.
 */
export interface Drawings {
  /** Returns a drawing of a user, or undefined if the user has no drawing with this id. */
  findOwn(userId: number, mjId: string): Promise<OwnDrawing | undefined>
  /** Returns the user's drawings among these ids, newest first, each id once. */
  listOwn(userId: number, mjIds: readonly string[]): Promise<OwnDrawing[]>
  /** Returns the newest image with this id that belongs to a user for whom `isAllowed` returns true. */
  findPicture(mjId: string, isAllowed: (userId: number) => boolean): Promise<Picture | undefined>
}

const COLUMNS = [
  'id',
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
  'video_url',
  'status',
  'progress',
  'fail_reason',
  'channel_id',
  'key_digest',
  'buttons',
  'properties',
  'bot_type',
  'custom_id',
] as const
const MJ_ID_LENGTH_MAX = 255

export function createDrawings({ db }: { db: Pick<Database, 'reader'> }): Drawings {
  // Query one id at a time, to use the index. For several sorted ids of a user, SQLite would read all rows of the user.
  const newest = (mj_id: string) => db.reader('midjourneys').where({ mj_id }).orderBy('id', 'desc')

  return {
    async findOwn(userId, mjId) {
      if (!isId(mjId)) return undefined
      return newest(mjId)
        .where({ user_id: userId })
        .first(...COLUMNS)
    },
    async listOwn(userId, mjIds) {
      const rows: OwnDrawing[] = await db
        .reader('midjourneys')
        .where({ user_id: userId })
        .whereIn('mj_id', mjIds.filter(isId))
        .select(...COLUMNS)
      const seen = new Set<string>()
      return rows.sort((a, b) => b.id - a.id).filter(({ mj_id }) => !seen.has(mj_id) && seen.add(mj_id))
    },
    async findPicture(mjId, isAllowed) {
      if (!isId(mjId)) return undefined
      const pictures: (Picture & { user_id: number })[] = await newest(mjId)
        .whereNot({ image_url: '' })
        .select('image_url', 'channel_id', 'status', 'user_id')
      return pictures.find(({ user_id }) => isAllowed(user_id))
    },
  }
}

/** Returns whether a row can have this id. PostgreSQL rejects queries for text with NUL. */
function isId(text: string): boolean {
  return text !== '' && text.length <= MJ_ID_LENGTH_MAX && !text.includes('\0')
}
