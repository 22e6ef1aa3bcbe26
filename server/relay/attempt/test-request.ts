import type { ChannelType } from '../../../core/channels/types/channel-type.ts'

const TOKENS_MAX = 10
/** Output limit for reasoning models. With fewer tokens, such a model only thinks and writes no reply. */
const THINKING_TOKENS_MAX = 50
const GEMINI_TOKENS_MAX = 300
/** Claude's smallest thinking budget, plus tokens for a reply. */
const CLAUDE_THINKING_TOKENS_MAX = 1280

const EMBEDDING_NAMES = /embed|^m3e|bge-|clip/
const THINKING_NAMES = /^(o\d|gpt-5)|think|reason|(^|[/-])r1\b|qwq|-v4|grok-(3-mini|[4-9])/

interface TestRequest {
  operation: 'chat' | 'embeddings' | 'rerank'
  body: Record<string, unknown>
}

/**
 * Returns the smallest request that a model accepts. The model's name and the operations of its upstream determine the
 * request.
 */
export function buildTestRequest(model: string, { operations }: Pick<ChannelType, 'operations'>): TestRequest {
  const operation = chooseTestOperation(model.toLowerCase(), operations)
  if (operation === 'embeddings') return { operation, body: { model, input: ['hello world'] } }
  if (operation === 'rerank') return { operation, body: { model, query: 'hi', documents: ['hello world', 'goodbye'] } }
  const messages = [{ role: 'user', content: 'hi' }]
  return { operation, body: { model, messages, ...tokenLimit(model.toLowerCase()) } }
}

function chooseTestOperation(name: string, operations: readonly string[]): TestRequest['operation'] {
  const canRerank = operations.includes('rerank')
  const canEmbed = operations.includes('embeddings')
  if (canRerank && name.includes('rerank')) return 'rerank'
  if (canEmbed && EMBEDDING_NAMES.test(name) && !name.includes('rerank')) return 'embeddings'
  if (operations.includes('chat')) return 'chat'
  return canRerank ? 'rerank' : canEmbed ? 'embeddings' : 'chat'
}

function tokenLimit(name: string): Record<string, number> {
  if (name.includes('gemini')) return { max_tokens: GEMINI_TOKENS_MAX }
  if (name.includes('claude') && name.includes('thinking')) return { max_tokens: CLAUDE_THINKING_TOKENS_MAX }
  const tokens = THINKING_NAMES.test(name) ? THINKING_TOKENS_MAX : TOKENS_MAX
  return /^(o\d|gpt-5)/.test(name) ? { max_completion_tokens: tokens } : { max_tokens: tokens }
}
