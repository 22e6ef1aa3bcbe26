import type { DialectName } from '../../../core/channels/routing/operations.ts'
import { anthropicMessages } from './anthropic-messages/dialect.ts'
import type { Dialect } from './dialect.ts'
import { geminiDialect } from './gemini/dialect.ts'
import { openaiChat } from './openai-chat/dialect.ts'
import { openaiCompletions } from './openai-completions/dialect.ts'
import { openaiResponses } from './openai-responses/dialect.ts'

/** All dialects by name. The type requires a property for each name. */
export const DIALECTS: Record<DialectName, Dialect> = {
  'openai-chat': openaiChat,
  'openai-completions': openaiCompletions,
  'openai-responses': openaiResponses,
  'anthropic-messages': anthropicMessages,
  gemini: geminiDialect,
}
