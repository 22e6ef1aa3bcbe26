/** The operations of the relay. `chat` is every conversation, in any dialect. */
const OPERATIONS = [
  'chat',
  'embeddings',
  'images',
  'image-edits',
  'image-variations',
  'speech',
  'transcriptions',
  'translations',
  'moderations',
  'rerank',
  'realtime',
] as const
export type Operation = (typeof OPERATIONS)[number]

/** The conversation formats of clients. Some upstreams use them too. */
export const DIALECT_NAMES = [
  'openai-chat',
  'openai-completions',
  'openai-responses',
  'anthropic-messages',
  'gemini',
] as const
export type DialectName = (typeof DIALECT_NAMES)[number]
