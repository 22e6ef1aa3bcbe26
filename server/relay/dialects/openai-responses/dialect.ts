import type { Dialect } from '../dialect.ts'
import { largestTokenLimit } from '../openai-chat/dialect.ts'
import { openAiError } from '../openai-error.ts'
import { largestLimit } from '../refuse.ts'
import { parseResponses } from './parse.ts'
import { failedEvent, responsesForwarder } from './passing.ts'
import { checkResponses, promptOfResponses, withInstructions } from './request.ts'
import { wholeResponse } from './whole.ts'
import { responsesWriter } from './writer.ts'

/** The format of OpenAI's Responses API: https://platform.openai.com/docs/api-reference/responses */
export const openaiResponses: Dialect = {
  name: 'openai-responses',
  check: checkResponses,
  prompt: promptOfResponses,
  limit(body) {
    const limit = largestLimit(body.max_output_tokens)
    return { tokens: limit && largestTokenLimit(limit, body), choices: 1 }
  },
  withLimit: (body, tokens) => ({ ...body, max_output_tokens: tokens }),
  parse: parseResponses,
  withSystemPrompt: withInstructions,
  writer: responsesWriter,
  whole: wholeResponse,
  forwarder: responsesForwarder,
  withModelName: (body, model) => ('model' in body ? { ...body, model } : { ...body }),
  error: openAiError,
  errorEvent: (error, context) => failedEvent(error, context, { sequence: 0 }),
  ping: ': ping\n\n',
}
