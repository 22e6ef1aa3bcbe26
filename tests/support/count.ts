import { countTokens } from 'gpt-tokenizer/encoding/cl100k_base'

/** Tokens of a text, as OpenAI's own vocabulary has them. */
export const tokensOf = (text: string): number => countTokens(text)

/** Tokens of a chat prompt of that one message: three prime the reply, four frame the message. */
export const promptTokensOf = (text: string): number => 3 + 4 + tokensOf(text)
