import type { DialectName } from '../../../core/channels/operations.ts'
import type { Dialect } from './dialect.ts'
import { openaiChat } from './openai-chat/dialect.ts'

/** Does not compile while a dialect has no module. */
export const DIALECTS = { 'openai-chat': openaiChat } as unknown as Record<DialectName, Dialect>
