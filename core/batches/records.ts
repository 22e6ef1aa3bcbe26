import type { Knex } from 'knex'
import { type Actor, ROLE, requireRole } from '../actor.ts'
import type { Database } from '../db/database.ts'
import { readPage } from '../db/page.ts'
import { GatewayError } from '../errors.ts'
import type { Page, Paging } from '../input.ts'
import type { BatchRecord, FileRecord } from './schema.ts'

/** Filter of a list. Empty texts and zeros match all rows. Times are inclusive, in Unix seconds. */
interface RecordFilter {
  user_id?: number
  channel_id?: number
  start_timestamp?: number
  end_timestamp?: number
}
interface BatchFilter extends RecordFilter {
  batch_id?: string
  api?: string
  status?: string
}
interface FileFilter extends RecordFilter {
  file_id?: string
  purpose?: string
}

/**
 * Lists of batches and files, newest first. The operations without `Own` read the rows of all users, and throw
 * PERMISSION_DENIED unless the actor is an administrator.
 */
export type BatchRecords = ReturnType<typeof createBatchRecords>

const BATCH_FIELDS = [
  ...['id', 'batch_id', 'api', 'user_id', 'token_id', 'channel_id', 'endpoint', 'model', 'input_file_id', 'status'],
  ...['request_count', 'quota', 'final_quota', 'prompt_tokens', 'completion_tokens', 'request_id', 'created_at'],
  ...['expires_at', 'settled_at', 'outcome'],
].map((column) => `batches.${column}`)
const FILE_FIELDS = ['id', 'file_id', 'user_id', 'channel_id', 'purpose', 'body', 'created_at'].map(
  (column) => `upstream_files.${column}`,
)
const NAME_COLUMNS = ['users.username', 'channels.name as channel_name']
const BATCH_COLUMNS = [...BATCH_FIELDS, ...NAME_COLUMNS, 'tokens.name as token_name']
const FILE_COLUMNS = [...FILE_FIELDS, ...NAME_COLUMNS, 'batches.batch_id']

export function createBatchRecords({ db }: { db: Database }) {
  /** Returns a query for matching rows of a table, joined with the names of their users and channels. */
  function matching(
    table: 'batches' | 'upstream_files',
    { user_id, channel_id, start_timestamp, end_timestamp }: RecordFilter,
    exact: Record<string, string | undefined>,
  ): Knex.QueryBuilder {
    return db
      .reader(table)
      .leftJoin('users', 'users.id', `${table}.user_id`)
      .leftJoin('channels', 'channels.id', `${table}.channel_id`)
      .modify((where) => {
        if (user_id) where.where(`${table}.user_id`, user_id)
        if (channel_id) where.where(`${table}.channel_id`, channel_id)
        if (start_timestamp) where.where(`${table}.created_at`, '>=', start_timestamp)
        if (end_timestamp) where.where(`${table}.created_at`, '<=', end_timestamp)
        for (const [column, value] of Object.entries(exact)) if (value) where.where(`${table}.${column}`, value)
      })
  }
  const batches = ({ batch_id, api, status, ...filter }: BatchFilter) =>
    matching('batches', filter, { batch_id, api, status }).leftJoin('tokens', 'tokens.id', 'batches.token_id')
  const files = ({ file_id, purpose, ...filter }: FileFilter) =>
    matching('upstream_files', filter, { file_id, purpose })
      .leftJoin('batches', 'batches.id', 'upstream_files.batch_row')
      .where('upstream_files.user_id', '>', 0)
  const newestFirst = (table: string) => [{ column: `${table}.id`, order: 'desc' as const }]

  async function readBatches(filter: BatchFilter & Paging): Promise<Page<BatchRecord>> {
    const order = { columns: BATCH_COLUMNS, order: newestFirst('batches') }
    const page = await readPage<BatchRow>(batches(filter), filter, order)
    return { ...page, items: page.items.map(toBatch) }
  }
  async function readFiles(filter: FileFilter & Paging): Promise<Page<FileRecord>> {
    const order = { columns: FILE_COLUMNS, order: newestFirst('upstream_files') }
    const page = await readPage<FileRow>(files(filter), filter, order)
    return { ...page, items: page.items.map(toFile) }
  }

  return {
    async pageOfBatches(actor: Actor, filter: BatchFilter & Paging): Promise<Page<BatchRecord>> {
      requireRole(actor, ROLE.admin)
      return readBatches(filter)
    },
    /** Returns the actor's own batches. Filters by user and channel are ignored. */
    async pageOfOwnBatches(actor: Actor, filter: BatchFilter & Paging): Promise<Page<BatchRecord>> {
      return withoutChannels(await readBatches(ownedBy(actor, filter)))
    },
    /** Returns a batch. Throws BATCH_NOT_FOUND. */
    async getBatch(actor: Actor, id: number): Promise<BatchRecord> {
      requireRole(actor, ROLE.admin)
      const row: BatchRow | undefined = await batches({}).where('batches.id', id).first(BATCH_COLUMNS)
      if (!row) throw new GatewayError('BATCH_NOT_FOUND', { id })
      return toBatch(row)
    },
    /** Returns a page of files, except files that the gateway uploaded for batches. */
    async pageOfFiles(actor: Actor, filter: FileFilter & Paging): Promise<Page<FileRecord>> {
      requireRole(actor, ROLE.admin)
      return readFiles(filter)
    },
    async pageOfOwnFiles(actor: Actor, filter: FileFilter & Paging): Promise<Page<FileRecord>> {
      return withoutChannels(await readFiles(ownedBy(actor, filter)))
    },
    /** Returns a file. Throws FILE_NOT_FOUND. */
    async getFile(actor: Actor, id: number): Promise<FileRecord> {
      requireRole(actor, ROLE.admin)
      const row: FileRow | undefined = await files({}).where('upstream_files.id', id).first(FILE_COLUMNS)
      if (!row) throw new GatewayError('FILE_NOT_FOUND', { id })
      return toFile(row)
    },
  }
}

/** Limits a filter to the actor's rows, and removes the filter by channel, which only administrators may use. */
function ownedBy<Filter extends RecordFilter>({ id }: Actor, filter: Filter): Filter {
  return { ...filter, user_id: id, channel_id: 0 }
}

/** Removes the channels from a page, because only administrators may see them. */
function withoutChannels<Row extends { channel_id: number; channel_name: string }>(page: Page<Row>): Page<Row> {
  return { ...page, items: page.items.map((row) => ({ ...row, channel_id: 0, channel_name: '' })) }
}

type Names = 'username' | 'channel_name'
type BatchRow = Omit<BatchRecord, Names | 'token_name'> & Record<Names | 'token_name', string | null>
type FileRow = Omit<FileRecord, Names | 'batch_id' | 'filename' | 'bytes'> &
  Record<Names | 'batch_id', string | null> & { body: string }

function toBatch(row: BatchRow): BatchRecord {
  return {
    ...row,
    username: row.username ?? '',
    token_name: row.token_name ?? '',
    channel_name: row.channel_name ?? '',
    id: Number(row.id),
    request_count: Number(row.request_count),
    quota: Number(row.quota),
    final_quota: Number(row.final_quota),
    prompt_tokens: Number(row.prompt_tokens),
    completion_tokens: Number(row.completion_tokens),
    created_at: Number(row.created_at),
    expires_at: Number(row.expires_at),
    settled_at: Number(row.settled_at),
  }
}

function toFile({ body, ...row }: FileRow): FileRecord {
  const { filename, bytes }: { filename?: unknown; bytes?: unknown } = body === '' ? {} : JSON.parse(body)
  return {
    ...row,
    id: Number(row.id),
    username: row.username ?? '',
    channel_name: row.channel_name ?? '',
    batch_id: row.batch_id ?? '',
    filename: typeof filename === 'string' ? filename : '',
    bytes: Number.isSafeInteger(bytes) ? Number(bytes) : 0,
    created_at: Number(row.created_at),
  }
}
