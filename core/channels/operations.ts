/** What clients can ask the relay to do. `chat` is every conversation, in whatever dialect. */
export const OPERATIONS = [
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

/** The formats in which clients converse with us, and some upstreams with anybody. */
export const DIALECTS = [
  'openai-chat',
  'openai-completions',
  'openai-responses',
  'anthropic-messages',
  'gemini',
] as const
export type DialectName = (typeof DIALECTS)[number]
