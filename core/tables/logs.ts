import type { Rows } from './rows.ts'

/** Row types of the tables for the log and its sums. */
declare module 'knex/types/tables.js' {
  interface Tables {
    logs: Rows['logs']
    quota_data: {
      id: number
      user_id: number
      username: string
      model_name: string
      created_at: number
      token_used: number
      count: number
      quota: number
    }
    model_hours: { created_at: number; model_name: string; count: number; quota: number; token_used: number }
    usage_hours: Rows['usage_hours']
    partial_hours: { created_at: number }
    log_clears: { id: number; actor_id: number; before: number; touched_at: number }
    log_clear_sums: { clear_id: number; user_id: number; quota: number; requests: number }
    failed_relays: { log_id: number; request_id: string; created_at: number }
    relay_outcomes: Rows['relay_outcomes']
  }
}
