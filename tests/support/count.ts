import { countTokens } from 'gpt-tokenizer/encoding/cl100k_base'

/** Counts the tokens of a text with OpenAI's vocabulary. */
export const tokensOf = (text: string): number => countTokens(text)

/** Counts the prompt tokens of a one-message chat: three prime the reply, four frame the message. */
export const promptTokensOf = (text: string): number => 3 + 4 + tokensOf(text)
