import type { Conversation, Effort, Reasoning } from '../../conversation/conversation.ts'
import type { ClaudeModel } from './models.ts'

/** Output limit if the client sets none, because the API requires a limit. */
const DEFAULT_MAX_TOKENS = 4096
/** The smallest budget that the API accepts, in tokens. */
const BUDGET_MIN = 1024
/** Minimum limit of a reply with thinking, in tokens: the smallest budget, and a quarter of it for the text. */
export const THINKING_TOKENS_MIN = 1280
/** A budget that the gateway chooses is at most this fraction of the output limit. */
const BUDGET_FRACTION_MAX = 0.8
/** The client's budget if the model is to decide how much it thinks. */
const UNLIMITED = -1

type Thinking =
  | { readonly type: 'disabled' }
  | { readonly type: 'adaptive'; readonly display: 'summarized' | 'omitted' }
  | { readonly type: 'enabled'; readonly budget_tokens: number }

/** Fields that control thinking. If a field is absent, the model's default applies. */
interface ThinkingFields {
  readonly thinking?: Thinking
  /** The effort in `output_config`. */
  readonly effort?: string
  readonly maxTokens: number
}

/**
 * Returns the thinking fields for a model, and an output limit that includes the budget. The client's fields take
 * precedence over the suffix of the model name. `isThinkingPossible` is false if the history excludes thinking.
 * https://platform.claude.com/docs/en/build-with-claude/extended-thinking
 */
export function thinkingFields(
  { reasoning, maxTokens }: Pick<Conversation, 'reasoning' | 'maxTokens'>,
  model: ClaudeModel,
  {
    defaultMaxTokens = DEFAULT_MAX_TOKENS,
    isThinkingPossible,
  }: { defaultMaxTokens?: number | undefined; isThinkingPossible: boolean },
): ThinkingFields {
  const fieldsWithoutThinking = { maxTokens: maxTokens ?? defaultMaxTokens }
  if (model.thinking === 'none' || (!reasoning && !model.hasThinkingSuffix)) return fieldsWithoutThinking
  const isOff = reasoning?.effort === 'none' || reasoning?.budget === 0
  if (isOff || !isThinkingPossible)
    return model.thinking === 'adaptive'
      ? { ...fieldsWithoutThinking, thinking: { type: 'disabled' } }
      : fieldsWithoutThinking
  if (model.thinking === 'budget') return withBudget(reasoning, { maxTokens, defaultMaxTokens })
  const effort = adaptiveEffort(reasoning)
  return {
    ...fieldsWithoutThinking,
    thinking: { type: 'adaptive', display: reasoning?.visible === false ? 'omitted' : 'summarized' },
    ...(effort && { effort }),
  }
}

const BUDGETS: Partial<Record<Effort, number>> = { minimal: BUDGET_MIN, low: 1280, medium: 2048, high: 4096 }

function withBudget(
  reasoning: Reasoning | undefined,
  { maxTokens, defaultMaxTokens }: { maxTokens: number | undefined; defaultMaxTokens: number },
): ThinkingFields {
  const clientBudget = reasoning?.budget === UNLIMITED ? undefined : reasoning?.budget
  const requestedLimit = maxTokens ?? defaultMaxTokens + (clientBudget ?? 0)
  const limit = Math.max(requestedLimit, THINKING_TOKENS_MIN)
  const budgetMax = Math.floor(limit * BUDGET_FRACTION_MAX)
  const requestedBudget = clientBudget ?? (reasoning?.effort && BUDGETS[reasoning.effort]) ?? budgetMax
  // Keep a client's budget that is below the limit, even if few tokens remain for the text.
  const budget =
    clientBudget !== undefined && clientBudget < limit ? clientBudget : Math.min(requestedBudget, budgetMax)
  return { thinking: { type: 'enabled', budget_tokens: Math.max(budget, BUDGET_MIN) }, maxTokens: limit }
}

function adaptiveEffort(reasoning: Reasoning | undefined): string | undefined {
  if (reasoning?.effort) return reasoning.effort === 'minimal' ? 'low' : reasoning.effort
  const budget = reasoning?.budget
  if (budget === undefined || budget === UNLIMITED) return undefined
  return budget < 2048 ? 'low' : budget < 8192 ? 'medium' : 'high'
}
