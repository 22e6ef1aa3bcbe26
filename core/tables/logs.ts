import type { CellKind } from '../logs/usage/cells.ts'
import type { Flag } from './flag.ts'

/** Row types of the tables for the log and its sums. */
declare module 'knex/types/tables.js' {
  interface Tables {
    logs: {
      id: number
      user_id: number
      created_at: number
      type: number
      content: string
      username: string
      token_name: string
      model_name: string
      quota: number
      prompt_tokens: number
      completion_tokens: number
      use_time: number
      is_stream: Flag
      channel_id: number
      token_id: number
      group: string
      other: string
      request_id: string | null
    }
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
    model_hours: {
      created_at: number
      model_name: string
      count: number
      quota: number
      token_used: number
    }
    usage_hours: {
      kind: CellKind
      created_at: number
      name: string
      count: number
      ok: number
      failed: number
      quota: number
      tokens: number
      /** Encoded histograms (`core/logs/usage/histogram.ts`). */
      latency: string
      first_token: string
    }
    partial_hours: {
      created_at: number
    }
    log_clears: {
      id: number
      actor_id: number
      before: number
      touched_at: number
    }
    log_clear_sums: {
      clear_id: number
      user_id: number
      quota: number
      requests: number
    }
    failed_relays: {
      log_id: number
      request_id: string
      created_at: number
    }
    relay_outcomes: {
      user_id: number
      key_hash: string
      fingerprint: string
      request_id: string
      node_id: string
      created_at: number
      content_type: string | null
      body: Buffer | null
    }
  }
}
