import type { Data } from './calls.ts'
import { call } from './client.ts'

/** One action of an administrator. */
export type AuditEntry = Data<'GET /api/audit'>[number]

/** Filters of the audit log; undefined matches all rows. */
export interface AuditQuery {
  actor: string | undefined
  action: string | undefined
  object: string | undefined
  /** Unix seconds. */
  start_timestamp: number | undefined
  end_timestamp: number | undefined
}

export const AUDIT_PAGE_SIZE = 50
const EXPORT_PAGE_SIZE = 1000

/** Returns the rows older than `beforeId`, newest first. */
export function listAudit(
  query: AuditQuery,
  { beforeId, pageSize = AUDIT_PAGE_SIZE }: { beforeId: number | undefined; pageSize?: number },
  signal?: AbortSignal,
): Promise<AuditEntry[]> {
  return call('GET /api/audit', { query: { ...query, before_id: beforeId, page_size: pageSize }, signal })
}

/** Yields all rows that match the filters, page by page, newest first. */
export async function* exportAudit(query: AuditQuery): AsyncGenerator<AuditEntry[]> {
  let beforeId: number | undefined
  for (;;) {
    const rows = await listAudit(query, { beforeId, pageSize: EXPORT_PAGE_SIZE })
    yield rows
    if (rows.length < EXPORT_PAGE_SIZE) return
    beforeId = rows.at(-1)?.id
  }
}
