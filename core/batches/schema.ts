import { type Static, Type } from 'typebox'

/** A batch as the management API shows it. Times are Unix seconds. */
export const BatchRecord = Type.Object(
  {
    id: Type.Integer(),
    batch_id: Type.String({ description: "the upstream's id, which clients use too" }),
    api: Type.String({ description: 'openai or anthropic' }),
    user_id: Type.Integer(),
    username: Type.String({ description: 'current name; empty if the user was deleted' }),
    token_id: Type.Integer(),
    token_name: Type.String({ description: 'current name; empty if the token was deleted' }),
    channel_id: Type.Integer(),
    channel_name: Type.String({ description: 'current name; empty if the channel was deleted' }),
    endpoint: Type.String(),
    model: Type.String(),
    input_file_id: Type.String({ description: 'empty for batches of messages' }),
    status: Type.String({
      description: "the upstream's status; submitting: it is unknown whether the upstream accepted the batch",
    }),
    request_count: Type.Integer(),
    quota: Type.Integer({ description: 'charged when the batch was created' }),
    final_quota: Type.Integer({ description: 'final price; 0 until the batch is settled' }),
    prompt_tokens: Type.Integer(),
    completion_tokens: Type.Integer(),
    request_id: Type.String(),
    created_at: Type.Integer(),
    expires_at: Type.Integer(),
    settled_at: Type.Integer({ description: '0: not settled' }),
    outcome: Type.String({ description: 'results, channel-deleted, lost, absent; empty until the batch is settled' }),
  },
  { title: 'Batch' },
)
export type BatchRecord = Static<typeof BatchRecord>

/** A file at an upstream as the management API shows it. Times are Unix seconds. */
export const FileRecord = Type.Object(
  {
    id: Type.Integer(),
    file_id: Type.String({ description: "the upstream's id, which clients use too" }),
    user_id: Type.Integer(),
    username: Type.String({ description: 'current name; empty if the user was deleted' }),
    channel_id: Type.Integer(),
    channel_name: Type.String({ description: 'current name; empty if the channel was deleted' }),
    purpose: Type.String(),
    filename: Type.String({ description: 'empty if the upstream has not described the file' }),
    bytes: Type.Integer({ description: '0 if the upstream has not described the file' }),
    batch_id: Type.String({ description: 'the batch that produced the file; empty if the user uploaded the file' }),
    created_at: Type.Integer(),
  },
  { title: 'File' },
)
export type FileRecord = Static<typeof FileRecord>
