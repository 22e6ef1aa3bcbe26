import type { JsonText } from '../db/json.ts'
import type { PartAmounts } from '../limits/windows.ts'
import type { CellKind } from '../logs/usage/cells.ts'
import type { NoticeEvent } from '../notices/notice.ts'

/** The value of a boolean column. SQLite returns 0 or 1, PostgreSQL a boolean. */
export type Flag = boolean | number

/** Rows of tables whose types modules use. Unlike the files beside it, this file does not extend Knex's types. */
export interface Rows {
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
  ledger_entries: {
    id: number
    user_id: number
    kind: string
    quota: number
    balance_after: number
    actor_id: number
    reference: string | null
    note: string
    created_at: number
    hash: string | null
  }
  limit_windows: {
    limit_id: number
    subject_id: string
    taken: JsonText<PartAmounts>
    notified_at: number
    updated_at: number
  }
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
  kept_thoughts: { user_id: number; call_hash: string; expires_at: number; content: Buffer }
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
    /** Digest of the channel key that submitted the drawing. Empty if the channel has only one key. */
    key_digest: string
    bot_type: string
    custom_id: string
    video_url: string
  }
  top_ups: {
    id: number
    user_id: number
    amount: number
    money: number
    trade_no: string
    create_time: number
    status: string
    payment_method: string
    quota: number
    complete_time: number
  }
  notice_targets: {
    id: number
    user_id: number | null
    kind: string
    name: string
    settings: string
    events: JsonText<NoticeEvent[]>
    language: string
    enabled: Flag
    created_at: number
    updated_at: number
  }
  tokens: {
    id: number
    user_id: number
    key: string
    key_hash: string
    status: number
    name: string
    created_time: number
    accessed_time: number
    expired_time: number
    remain_quota: number
    unlimited_quota: Flag
    model_limits_enabled: Flag
    model_limits: string
    allow_ips: string
    used_quota: number
    group: string
    deleted_at: string | null
    held_quota: number
    granted_quota: number
    store_responses: Flag
    member_id: number | null
  }
}
