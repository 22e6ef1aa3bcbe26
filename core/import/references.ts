import type { RowKind } from './mappers/mapper.ts'
/** Kinds of rows that other tables refer to. */
export type Referred = 'users' | 'tokens' | 'channels'

/** Names of these kinds as accounts of the ledger, subjects of limits and entities of the change feed. */
export const ENTITIES = { users: 'user', tokens: 'token', channels: 'channel' } as const satisfies Record<
  Referred,
  string
>

export const isReferred = (kind: RowKind): kind is Referred => Object.hasOwn(ENTITIES, kind)

/** A column of another table that contains ids of rows of one of these kinds. */
type ColumnReference = readonly [table: string, column: string]

/** Rows that an undo deletes with the imported rows: credentials, settings and other data of these rows. */
export const ERASED: Readonly<Record<Referred, readonly ColumnReference[]>> = {
  users: [
    ['sessions', 'user_id'],
    // Only revoked keys are deleted here, because valid keys prevent the undo.
    ['management_keys', 'user_id'],
    ['realtime_keys', 'user_id'],
    ['sign_in_origins', 'user_id'],
    ['relay_outcomes', 'user_id'],
    ['kept_thoughts', 'user_id'],
    ['stored_conversations', 'user_id'],
    ['stored_response_items', 'user_id'],
    ['notice_levels', 'user_id'],
    ['notices', 'user_id'],
  ],
  tokens: [
    ['realtime_keys', 'token_id'],
    ['stored_conversations', 'token_id'],
    ['stored_response_items', 'token_id'],
  ],
  channels: [
    ['abilities', 'channel_id'],
    ['learned_limits', 'channel_id'],
    ['channel_circuits', 'channel_id'],
    ['channel_events', 'channel_id'],
    ['realtime_keys', 'pinned_channel_id'],
  ],
}

/** Rows that prevent an undo, because users still need them and they work only with the imported rows. */
export const BLOCKING_REFERENCES: Readonly<Record<Referred, readonly ColumnReference[]>> = {
  users: [
    ['batches', 'user_id'],
    ['upstream_files', 'user_id'],
    ['stored_objects', 'user_id'],
    ['stored_responses', 'user_id'],
  ],
  // Rows of imported tokens whose users belong to an earlier import.
  tokens: [
    ['batches', 'token_id'],
    ['stored_responses', 'token_id'],
  ],
  channels: [
    ['batches', 'channel_id'],
    ['upstream_files', 'channel_id'],
    ['stored_objects', 'channel_id'],
    ['stored_responses', 'channel_id'],
  ],
}
