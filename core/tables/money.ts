import type { JsonText } from '../db/json.ts'
import type { ClaimedRequest } from '../idempotency.ts'
import type { Rows } from './rows.ts'

/** Row types of the tables for balances, holds, payments and limits. */
declare module 'knex/types/tables.js' {
  interface Tables {
    ledger_entries: Rows['ledger_entries']
    ledger_heads: { user_id: number; hash: string; entries: number }
    chain_breaks: { entry_id: number; hash: string }
    carried_sums: { account: string; account_id: number; quota: number; requests: number }
    holds: { node_id: string; account: string; account_id: number; quota: number; operation: number; granted: number }
    nodes: { id: string; started_at: number; seen_at: number; beats: number }
    balance_requests: {
      id: number
      user_id: number
      idempotency_key: string
      request: JsonText<ClaimedRequest>
      created_time: number
    }
    redemptions: {
      id: number
      user_id: number
      key: string
      status: number
      name: string
      quota: number
      created_time: number
      redeemed_time: number
      used_user_id: number
      deleted_at: string | null
      batch_id: number | null
    }
    redemption_batches: {
      id: number
      user_id: number
      idempotency_key: string
      request: JsonText<ClaimedRequest>
      created_time: number
    }
    top_ups: Rows['top_ups']
    payment_callbacks: {
      id: number
      trade_no: string
      params: JsonText<Record<string, string>>
      ip: string
      verdict: string
      reason: string
      replay_of: number
      actor_id: number
      created_at: number
    }
    limits: {
      id: number
      subject: string
      subject_id: string
      measure: string
      period: string
      time_zone: string
      amount: number
      action: string
      wait_seconds: number
      set_by: number
      created_at: number
      updated_at: number
    }
    limit_shares: { node_id: string; limit_id: number; subject_id: string; amount: number }
    limit_windows: Rows['limit_windows']
  }
}
