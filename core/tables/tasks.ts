export type {}

/** Row types of the tables for tasks, batches and stored responses. */
declare module 'knex/types/tables.js' {
  interface Tables {
    midjourneys: {
      id: number
      code: number
      user_id: number
      action: string
      mj_id: string
      prompt: string
      prompt_en: string
      description: string
      state: string
      submit_time: number
      start_time: number
      finish_time: number
      image_url: string
      status: string
      progress: string
      fail_reason: string
      channel_id: number
      token_id: number
      quota: number
      buttons: string
      properties: string
      request_id: string
      key_digest: string
      bot_type: string
      custom_id: string
      video_url: string
    }
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
    batches: {
      id: number
      batch_id: string
      api: string
      user_id: number
      token_id: number
      channel_id: number
      key_digest: string
      request_id: string
      endpoint: string
      model: string
      input_file_id: string
      sent_file_id: string
      status: string
      body: string
      request_count: number
      prices: string
      quota: number
      final_quota: number
      prompt_tokens: number
      completion_tokens: number
      created_at: number
      expires_at: number
      poll_at: number
      settled_at: number
      outcome: string
      deleted_at: number
      member_id: number
      submitter: string
      ids_digest: string
    }
    removed_tasks: {
      reference: string
    }
    stored_conversations: {
      user_id: number
      token_id: number
      id_hash: string
      created_at: number
      expires_at: number
      content: Buffer
    }
    stored_objects: {
      user_id: number
      kind: string
      id_hash: string
      channel_id: number
      key_digest: string
      tokens: number | null
      created_at: number
      expires_at: number
    }
    stored_response_items: {
      user_id: number
      token_id: number
      id_hash: string
      response_id: number
    }
    stored_responses: {
      id: number
      user_id: number
      token_id: number
      id_hash: string
      previous_hash: string | null
      conversation_hash: string | null
      channel_id: number
      key_digest: string
      node_id: string
      bytes: number
      created_at: number
      expires_at: number
      content: Buffer
    }
    kept_thoughts: {
      user_id: number
      call_hash: string
      expires_at: number
      content: Buffer
    }
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
