import type { AuditedFields } from '../audit/kinds.ts'
import type { JsonText } from '../db/json.ts'
import type { SessionData } from '../sessions.ts'
import type { Flag, Rows } from './rows.ts'

/** Row types of the tables for accounts, sign-in, keys and teams. */
declare module 'knex/types/tables.js' {
  interface Tables {
    users: {
      id: number
      username: string
      password: string
      display_name: string
      role: number
      status: number
      email: string
      github_id: string
      wechat_id: string
      telegram_id: string
      linux_do_id: string
      access_token: string | null
      access_token_hash: string | null
      quota: number
      used_quota: number
      request_count: number
      group: string
      aff_code: string | null
      aff_count: number
      aff_quota: number
      aff_history: number
      inviter_id: number
      created_time: number
      deleted_at: string | null
      oidc_id: string
      quota_notice: number | null
      held_quota: number
      debt_limit: number
      name_skeleton: string
      kind: number
      language: string
    }
    sessions: {
      id_hash: string
      user_id: number
      data: JsonText<SessionData>
      created_at: number
      expires_at: number
    }
    sign_in_origins: { user_id: number; origin_hash: string; seen_at: number }
    guesses: { id: number; subject_hash: string; failed: Flag; created_at: number }
    verifications: {
      purpose: string
      subject_hash: string
      code_hash: string
      attempts: number
      created_at: number
      expires_at: number
    }
    invite_sources: { digest: string; created_at: number }
    tokens: Rows['tokens']
    management_keys: {
      id: number
      user_id: number
      name: string
      key_hash: string
      key_start: string
      scopes: string
      quota_max: number | null
      quota_used: number
      expires_at: number
      created_at: number
      last_used_at: number
      revoked_at: number
    }
    teams: { id: number; name: string; created_at: number }
    team_members: { team_id: number; user_id: number; role: string; joined_at: number }
    team_invites: {
      id: number
      team_id: number
      code_hash: string
      role: string
      created_by: number
      created_at: number
      expires_at: number
      used_by: number
      used_at: number
    }
    audit: {
      id: number
      created_at: number
      actor_id: number
      actor: string
      address: string
      action: string
      object: string
      before: JsonText<AuditedFields> | null
      after: JsonText<AuditedFields> | null
    }
  }
}
