import type { Flag } from './flag.ts'

/** Row types of the tables for channels and their state. */
declare module 'knex/types/tables.js' {
  interface Tables {
    channels: {
      id: number
      type: number
      key: string
      open_ai_organization: string | null
      test_model: string | null
      status: number
      name: string
      weight: number
      created_time: number
      test_time: number
      response_time: number
      base_url: string
      other: string
      balance: number
      balance_updated_time: number
      models: string
      group: string
      used_quota: number
      model_mapping: string | null
      status_code_mapping: string
      priority: number
      auto_ban: number
      other_info: string
      tag: string | null
      setting: string
    }
    abilities: {
      group: string
      model: string
      channel_id: number
      enabled: Flag
      priority: number
      weight: number
      tag: string | null
    }
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
    upstream_files: {
      id: number
      file_id: string
      user_id: number
      channel_id: number
      key_digest: string
      purpose: string
      body: string
      batch_row: number
      created_at: number
      member_id: number
    }
  }
}
