import { defined } from '../../../../core/records.ts'
import type { Conversation } from '../../conversation/conversation.ts'
import { numberOf, textOf } from '../../json.ts'
import type { Body } from '../dialect.ts'
import { COMMON_FIELDS, commonParts } from '../openai-chat/parse.ts'
import { refuse } from '../refuse.ts'

/** Fields that are parsed. All others are extras. */
const COMPLETION_FIELDS: ReadonlySet<string> = new Set([...COMMON_FIELDS, 'prompt', 'suffix', 'echo', 'best_of'])

/**
 * Parses a completion request into a conversation of one turn:
 * https://platform.openai.com/docs/api-reference/completions. Throws REQUEST_MALFORMED for features that a conversation
 * does not have: several prompts, token ids, `suffix`, `echo`, and `best_of` above `n`.
 */
export function parseCompletions(body: Body): Conversation {
  if (textOf(body.suffix)) refuse('suffix is not supported for this model: leave it out', 'suffix')
  if (body.echo === true) refuse('echo is not supported for this model: leave it out', 'echo')
  if (Number(body.best_of ?? 1) > Math.max(1, Number(body.n ?? 1)))
    refuse('best_of is not supported for this model: leave it out', 'best_of')
  // In completions, `logprobs` is the number of alternatives. 0 means that only the chosen token is reported.
  const logprobs = numberOf(body.logprobs)
  return defined({
    ...commonParts(body, COMPLETION_FIELDS),
    turns: [{ role: 'user', parts: [{ kind: 'text', text: promptText(body.prompt) }] }],
    tools: [],
    maxTokens: numberOf(body.max_tokens) ?? numberOf(body.max_completion_tokens),
    logprobs: logprobs === undefined ? undefined : true,
    topLogprobs: logprobs || undefined,
  }) as Conversation
}

function promptText(prompt: unknown): string {
  if (typeof prompt === 'string') return prompt
  const texts = Array.isArray(prompt) ? prompt : []
  if (texts.length > 1 && typeof texts[0] !== 'number')
    return refuse('prompt has several texts: send a request for each of them')
  const [text] = texts
  return typeof text === 'string' ? text : refuse('prompt must be a text: this model takes no token numbers')
}
