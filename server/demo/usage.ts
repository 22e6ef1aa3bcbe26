/**
 * Usage as the simulated upstream counts it. The rules are simple, so that tests can predict every number:
 *
 * - prompt tokens of a chat = ceil(characters of all messages / 4) + 4 * messages. Characters are UTF-16 units. Images,
 *   audio and tool definitions count zero.
 * - prompt tokens of a completion or an embedding = ceil(characters / 4) of each input, at least 1. For an input of
 *   token numbers, each number is one token.
 * - completion tokens = emitted pieces of all choices. The start of a tool call is one piece, and each fragment of its
 *   arguments is one piece.
 */
export interface DemoUsage {
  prompt_tokens: number
  completion_tokens: number
  total_tokens: number
}

const CHARACTERS_PER_TOKEN = 4
const TOKENS_PER_MESSAGE = 4

export function chatTokens(messages: readonly { text: string }[]): number {
  let characters = 0
  for (const { text } of messages) characters += text.length
  return Math.ceil(characters / CHARACTERS_PER_TOKEN) + TOKENS_PER_MESSAGE * messages.length
}

export function inputTokens(input: string | number[]): number {
  return typeof input === 'string' ? Math.max(1, Math.ceil(input.length / CHARACTERS_PER_TOKEN)) : input.length
}

export function usageOf(promptTokens: number, completionTokens: number): DemoUsage {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  }
}
