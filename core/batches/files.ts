import type { Knex } from 'knex'
import type { Database } from '../db/database.ts'
import { withinDatabaseWait } from '../db/unavailable.ts'
import type { Rows } from '../tables/rows.ts'
import { isPossibleId, type ObjectOwner } from './rows.ts'

export interface StoredFile extends ObjectOwner {
  /** The row's id. */
  readonly id: number
  /** The id at the upstream and for the client. */
  readonly fileId: string
  readonly channelId: number
  /** Digest of the key with which the file was uploaded, if the channel has several keys. Otherwise empty. */
  readonly keyDigest: string
  readonly purpose: string
  /** JSON of the upstream's last description of the file. Empty if the upstream was not queried yet. */
  readonly body: string
  /** Row id of the batch that produced the file. 0 if its owner uploaded it. */
  readonly batchRow: number
  /** Unix seconds. */
  readonly createdAt: number
}

type NewStoredFile = Omit<StoredFile, 'id' | 'createdAt'>

/** Files of users at upstreams. All users of a channel share its upstream account, but see only their own files. */
export interface UpstreamFiles {
  /** Stores files. Existing files stay unchanged. Returns the number of new files. */
  add(files: readonly NewStoredFile[]): Promise<number>
  /** Returns the number of files that an owner has uploaded and not deleted. */
  countUploaded(owner: ObjectOwner): Promise<number>
  /** Returns the file if it belongs to the owner, otherwise undefined. Throws DATABASE_UNAVAILABLE. */
  find(owner: ObjectOwner, fileId: string): Promise<StoredFile | undefined>
  /** Returns a file by the id of its row. */
  get(id: number): Promise<StoredFile | undefined>
  /** Returns a page of an owner's files, newest first unless `isAscending`. */
  list(
    owner: ObjectOwner,
    page: { after?: string | undefined; purpose?: string | undefined; limit: number; isAscending?: boolean },
  ): Promise<{ items: StoredFile[]; hasMore: boolean }>
  /** Stores the upstream's description of a file. */
  describe(id: number, body: string): Promise<void>
  remove(id: number): Promise<void>
  /** Stores a file that the gateway wrote as the input of a later batch. Throws if the file id is stored already. */
  addSent(file: SentFile): Promise<void>
  removeSent(file: SentFile): Promise<void>
  /**
   * Returns files that `addSent` stored before `before` (Unix seconds) and that no unsettled batch reads. `isPaid` is
   * true if the file's batch was settled with results.
   */
  unusedSentFiles(before: number, limit: number): Promise<{ file: StoredFile; isPaid: boolean }[]>
}

/** An input file that the gateway wrote for a batch. It belongs to no user. */
type SentFile = Pick<StoredFile, 'fileId' | 'channelId' | 'keyDigest'>

const NO_OWNER = { userId: 0, memberId: 0 }

const COLUMNS = [
  ...['id', 'file_id', 'user_id', 'member_id', 'channel_id', 'key_digest', 'purpose', 'body', 'batch_row'],
  'created_at',
] as const

type Row = Rows['upstream_files']

function toFile(row: Row): StoredFile {
  return {
    id: Number(row.id),
    fileId: row.file_id,
    userId: row.user_id,
    memberId: row.member_id,
    channelId: row.channel_id,
    keyDigest: row.key_digest,
    purpose: row.purpose,
    body: row.body,
    batchRow: Number(row.batch_row),
    createdAt: Number(row.created_at),
  }
}

export function createUpstreamFiles({ db, now }: { db: Database; now: () => number }): UpstreamFiles {
  async function readFile(rows: Knex.QueryBuilder): Promise<StoredFile | undefined> {
    const row: Row | undefined = await rows.first(COLUMNS)
    return row && toFile(row)
  }
  const rowsOfOwner = ({ userId, memberId }: ObjectOwner) =>
    db.reader('upstream_files').where({ user_id: userId, member_id: memberId })

  const files: UpstreamFiles = {
    async add(files) {
      if (files.length === 0) return 0
      const rows = files.map(({ fileId, userId, memberId, channelId, keyDigest, purpose, body, batchRow }) => ({
        file_id: fileId,
        user_id: userId,
        member_id: memberId,
        channel_id: channelId,
        key_digest: keyDigest,
        purpose,
        body,
        batch_row: batchRow,
        created_at: now(),
      }))
      const added = await db.transaction((trx) =>
        trx('upstream_files')
          .insert(rows)
          // If an upstream repeats an id, the first owner keeps the file, so that no other user gets it.
          .onConflict(['channel_id', 'key_digest', 'file_id'])
          .ignore()
          .returning('id'),
      )
      return added.length
    },
    async countUploaded(owner) {
      const [row] = await rowsOfOwner(owner).where({ batch_row: 0 }).count({ total: '*' })
      return Number(row?.total)
    },
    async find(owner, fileId) {
      if (!isPossibleId(fileId)) return undefined
      return withinDatabaseWait(readFile(rowsOfOwner(owner).where({ file_id: fileId }).orderBy('id', 'desc')))
    },
    get: (id) => readFile(db.reader('upstream_files').where({ id })),
    async list(owner, { after, purpose, limit, isAscending = false }) {
      if (purpose !== undefined && !isPossibleId(purpose)) return { items: [], hasMore: false }
      const isIdPossible = after !== undefined && isPossibleId(after)
      const afterRow = isIdPossible ? await rowsOfOwner(owner).where({ file_id: after }).first('id') : undefined
      const rows: Row[] = await rowsOfOwner(owner)
        .modify((where) => {
          if (purpose) where.where({ purpose })
          if (afterRow) where.where('id', isAscending ? '>' : '<', afterRow.id)
        })
        .orderBy('id', isAscending ? 'asc' : 'desc')
        .limit(limit + 1)
        .select(COLUMNS)
      return { items: rows.slice(0, limit).map(toFile), hasMore: rows.length > limit }
    },
    async describe(id, body) {
      await db.transaction((trx) => trx('upstream_files').where({ id }).update({ body }))
    },
    async remove(id) {
      await db.transaction((trx) => trx('upstream_files').where({ id }).delete())
    },
    async addSent(file) {
      const added = await files.add([{ ...file, ...NO_OWNER, purpose: 'batch_sent', body: '', batchRow: 0 }])
      if (added === 0) throw new Error(`An upstream gave the id ${file.fileId} of another file`)
    },
    async removeSent({ fileId, channelId, keyDigest }) {
      const sent = { user_id: 0, file_id: fileId, channel_id: channelId, key_digest: keyDigest }
      await db.transaction((trx) => trx('upstream_files').where(sent).delete())
    },
    async unusedSentFiles(before, limit) {
      const rows: (Row & { outcome: string | null })[] = await db
        .reader('upstream_files as files')
        .leftJoin('batches', (join) =>
          join
            .on('batches.sent_file_id', 'files.file_id')
            .andOn('batches.channel_id', 'files.channel_id')
            .andOn('batches.key_digest', 'files.key_digest'),
        )
        .where('files.user_id', 0)
        .where('files.created_at', '<', before)
        .where((where) => where.whereNull('batches.id').orWhere('batches.settled_at', '>', 0))
        .orderBy('files.id')
        .limit(limit)
        .select(...COLUMNS.map((column) => `files.${column}`), 'batches.outcome')
      return rows.map((row) => ({ file: toFile(row), isPaid: row.outcome === 'results' }))
    },
  }
  return files
}
