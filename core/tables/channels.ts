import type { Rows } from './rows.ts'

/** Row types of the tables for channels and their state. */
declare module 'knex/types/tables.js' {
  interface Tables {
    channels: Rows['channels']
    abilities: Rows['abilities']
    channel_circuits: {
      node_id: string
      channel_id: number
      scope: string
      subject: string
      state: string
      class: string
      reason: string
      since: number
      retry_at: number
    }
    channel_events: {
      id: number
      channel_id: number
      created_at: number
      node_id: string
      event: string
      scope: string
      subject: string
      class: string
      reason: string
    }
    learned_limits: {
      channel_id: number
      key_digest: string
      measure: string
      amount: number
      remaining: number
      resets_at: number
      seen_at: number
    }
    upstream_files: Rows['upstream_files']
  }
}
