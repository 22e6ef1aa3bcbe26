import type { Rows } from './rows.ts'

/** Row types of the tables for tasks, batches and stored responses. */
declare module 'knex/types/tables.js' {
  interface Tables {
    midjourneys: Rows['midjourneys']
    tasks: {
      id: number
      created_at: number
      updated_at: number
      task_id: string
      platform: string
      user_id: number
      channel_id: number
      token_id: number
      quota: number
      action: string
      status: string
      fail_reason: string
      submit_time: number
      start_time: number
      finish_time: number
      progress: string
      properties: string
      data: string | null
      request_id: string
      key_digest: string
    }
    batches: Rows['batches']
    removed_tasks: { reference: string }
    stored_conversations: {
      user_id: number
      token_id: number
      id_hash: string
      created_at: number
      expires_at: number
      content: Buffer
    }
    stored_objects: Rows['stored_objects']
    stored_response_items: { user_id: number; token_id: number; id_hash: string; response_id: number }
    stored_responses: Rows['stored_responses']
    kept_thoughts: Rows['kept_thoughts']
    realtime_keys: {
      key_hash: string
      user_id: number
      token_id: number
      pinned_channel_id: number
      model: string
      session: Buffer
      expires_at: number
    }
  }
}
