import type { JsonText } from '../db/json.ts'
import type { ColumnStates } from '../import/column-states.ts'
import type { ImportReport } from '../import/report.ts'
import type { ImportState } from '../import/stored-imports.ts'
import type { Before } from '../import/write-kind.ts'
import type { StoredNotice } from '../notices/notice.ts'
import type { Rows } from './rows.ts'

/** Row types of the tables for options, jobs, notices, imports and migrations. */
declare module 'knex/types/tables.js' {
  interface Tables {
    options: { key: string; value: string }
    meta: { key: string; value: string }
    migrations: { id: number; name: string; applied_at: number }
    changes: { id: number; entity: string; entity_id: string; created_at: number }
    jobs: {
      name: string
      lease: string
      every_s: number
      started_at: number
      finished_at: number
      outcome: string
    }
    leases: { name: string; holder: string; expires_at: number }
    notices: {
      id: number
      event: string
      user_id: number | null
      subject: string
      dedupe: string | null
      data: JsonText<StoredNotice['data']>
      created_at: number
    }
    notice_deliveries: {
      id: number
      notice_id: number
      target_id: number
      state: string
      attempts: number
      next_at: number
      status: number
      error: string
      created_at: number
      delivered_at: number
    }
    notice_levels: { subject: string; user_id: number; level: number; basis: string }
    notice_targets: Rows['notice_targets']
    notice_thresholds: { subject: string; subject_id: number; percents: JsonText<number[]> }
    imports: {
      id: number
      source_id: number
      status: string
      actor_id: number
      started_at: number
      updated_at: number
      logs: string
      state: JsonText<ImportState>
      report: JsonText<ImportReport> | ''
      read_at: number
    }
    import_sources: {
      id: number
      product: string
      location: string
      created_at: number
    }
    import_rows: {
      source_id: number
      kind: string
      source_row: number
      target_row: number
      import_id: number
      quota: number
      used: number
      digest: string
      column_states: JsonText<ColumnStates> | null
    }
    import_changes: {
      import_id: number
      kind: string
      target_row: number
      quota: number
      used: number
      before: JsonText<Before>
    }
  }
}
