import type { Usage } from '../../../../core/pricing/prices.ts'
import type { Reply } from '../../conversation/collect.ts'
import { promptOfInput } from '../../counting/prompt.ts'
import { asksForUsage } from '../../delivery/stream-options.ts'
import { DONE_EVENT, formatEvent } from '../../transport/sse.ts'
import type { Body, Dialect, ReplyContext, StreamForwarder } from '../dialect.ts'
import { chatForwarder } from '../openai-chat/passing.ts'
import { toChatUsage } from '../openai-chat/reply-parts.ts'
import { openAiError, openAiErrorEvent } from '../openai-error.ts'
import { checkChoices, checkStream, checkWholeNumbers, largestLimit, refuse } from '../refuse.ts'
import { completionChoice, completionHead, legacyLogprobs } from './choices.ts'
import { parseCompletions } from './parse.ts'
import { completionsWriter } from './writer.ts'

/** The format of OpenAI's legacy completions: https://platform.openai.com/docs/api-reference/completions */
export const openaiCompletions: Dialect = {
  name: 'openai-completions',
  check(body) {
    if (body.prompt === undefined || body.prompt === '' || body.prompt === null)
      refuse('field prompt is required', 'prompt')
    checkWholeNumbers(body, ['max_tokens', 'max_completion_tokens'])
    checkChoices(body, ['n', 'best_of'])
    checkStream(body)
  },
  prompt: (body) => promptOfInput(body.suffix ? [body.prompt, body.suffix] : body.prompt),
  /** Counts the choices of all prompts. Choices that `best_of` drops also count, because upstreams charge for them. */
  limit(body) {
    const tokens = largestLimit(body.max_tokens, body.max_completion_tokens)
    const choices = Math.max(1, Number(body.n ?? 1), Number(body.best_of ?? 1))
    return { tokens, choices: choices * promptCount(body.prompt) }
  },
  withLimit: (body, tokens) => ({ ...body, max_tokens: tokens }),
  parse: parseCompletions,
  /** Puts the system prompt in front of the prompt, because completions have no roles. */
  withSystemPrompt(body, prompt) {
    const withPrefix = (text: unknown) => (typeof text === 'string' ? `${prompt}\n\n${text}` : text)
    return { ...body, prompt: Array.isArray(body.prompt) ? body.prompt.map(withPrefix) : withPrefix(body.prompt) }
  },
  writer: completionsWriter,
  whole: wholeCompletion,
  forwarder: completionsForwarder,
  withModelName: (body, model) => ({ ...body, model }),
  error: openAiError,
  errorEvent: openAiErrorEvent,
  ping: ': ping\n\n',
}

/** Returns the number of prompts. An array of numbers is a single tokenized prompt. */
function promptCount(prompt: Body['prompt']): number {
  if (!Array.isArray(prompt) || prompt.every((item) => typeof item === 'number')) return 1
  return Math.max(1, prompt.length)
}

/** Returns a whole completion. Drops reasoning, because the format has no field for reasoning. */
function wholeCompletion(reply: Reply, usage: Usage, context: ReplyContext): Record<string, unknown> {
  const choices = reply.choices.map(({ index, text, refusal, logprobs, stop }) =>
    completionChoice(index, { text: text + refusal, logprobs: legacyLogprobs(logprobs, 0), stop: stop ?? 'stop' }),
  )
  return { ...completionHead(context), choices, usage: toChatUsage(usage) }
}

/** Forwards completion chunks like chat completion chunks. Only the chunk that the gateway adds has another format. */
function completionsForwarder(context: ReplyContext): StreamForwarder {
  const wantsUsage = asksForUsage(context.body)
  return {
    ...chatForwarder(context),
    end(usage) {
      const usageChunk = { ...completionHead(context), choices: [], usage: usage && toChatUsage(usage) }
      return (wantsUsage && usage ? formatEvent(usageChunk) : '') + DONE_EVENT
    },
  }
}
