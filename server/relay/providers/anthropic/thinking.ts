import type { Conversation, Effort, Reasoning } from '../../conversation/conversation.ts'
import type { ClaudeModel } from './models.ts'

/** The API demands a limit; sent where the client names none. */
const DEFAULT_MAX_TOKENS = 4096
/** The fewest tokens a budget may have. */
const BUDGET_MIN = 1024
/** Room for the smallest budget, and a fifth of it again for the answer. */
export const THINKING_TOKENS_MIN = 1280
const SHARE = 0.8
const UNLIMITED = -1

export type Thinking =
  | { readonly type: 'disabled' }
  | { readonly type: 'adaptive'; readonly display: 'summarized' | 'omitted' }
  | { readonly type: 'enabled'; readonly budget_tokens: number }

/** How a model is asked to think; all absent = as it likes. */
export interface ThinkingFields {
  readonly thinking?: Thinking
  /** For `output_config`. */
  readonly effort?: string
  readonly maxTokens: number
}

/**
 * Thoughts as this generation is asked for them, and the limit of the reply with room for them. What a client says goes
 * before the suffix of the model's name. https://platform.claude.com/docs/en/build-with-claude/extended-thinking
 */
export function thinkingFields(
  { reasoning, maxTokens }: Pick<Conversation, 'reasoning' | 'maxTokens'>,
  model: ClaudeModel,
  { defaultMaxTokens = DEFAULT_MAX_TOKENS, possible }: { defaultMaxTokens?: number | undefined; possible: boolean },
): ThinkingFields {
  const plain = { maxTokens: maxTokens ?? defaultMaxTokens }
  if (model.thinking === 'none' || (!reasoning && !model.thinkingSuffix)) return plain
  const off = reasoning?.effort === 'none' || reasoning?.budget === 0
  if (off || !possible) return model.thinking === 'adaptive' ? { ...plain, thinking: { type: 'disabled' } } : plain
  if (model.thinking === 'budget') return withBudget(reasoning, { maxTokens, defaultMaxTokens })
  const effort = adaptiveEffort(reasoning)
  return {
    ...plain,
    thinking: { type: 'adaptive', display: reasoning?.visible === false ? 'omitted' : 'summarized' },
    ...(effort && { effort }),
  }
}

const BUDGETS: Partial<Record<Effort, number>> = { minimal: BUDGET_MIN, low: 1280, medium: 2048, high: 4096 }

function withBudget(
  reasoning: Reasoning | undefined,
  { maxTokens, defaultMaxTokens }: { maxTokens: number | undefined; defaultMaxTokens: number },
): ThinkingFields {
  const named = reasoning?.budget === UNLIMITED ? undefined : reasoning?.budget
  const roomy = maxTokens ?? defaultMaxTokens + (named ?? 0)
  const limit = Math.max(roomy, THINKING_TOKENS_MIN)
  const most = Math.floor(limit * SHARE)
  const wanted = named ?? (reasoning?.effort && BUDGETS[reasoning.effort]) ?? most
  // A budget that the client named and that fits is its own business, however little it leaves for the answer.
  const fits = named !== undefined && named < limit ? named : Math.min(wanted, most)
  return { thinking: { type: 'enabled', budget_tokens: Math.max(fits, BUDGET_MIN) }, maxTokens: limit }
}

function adaptiveEffort(reasoning: Reasoning | undefined): string | undefined {
  if (reasoning?.effort) return reasoning.effort === 'minimal' ? 'low' : reasoning.effort
  const budget = reasoning?.budget
  if (budget === undefined || budget === UNLIMITED) return undefined
  return budget < 2048 ? 'low' : budget < 8192 ? 'medium' : 'high'
}
