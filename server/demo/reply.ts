import type { Json } from '../relay/json.ts'
import { type DemoAnswer, tokensOf } from './answer.ts'
import type { DemoRequest } from './request.ts'
import { type DemoUsage, usageOf } from './usage.ts'

/** A reply of the simulated model, for chat completions and for the older text completions. */
export interface DemoReply {
  id: string
  created: number
  ask: DemoRequest
  answers: DemoAnswer[]
  /** Undefined for a model that never reports usage. */
  usage: DemoUsage | undefined
}

/** A reply format: object names, whole choices, and the chunks of a choice. */
export interface Shape {
  object: string
  chunkObject: string
  choice(answer: DemoAnswer, at: Place): Json
  /** Returns the chunks before the first piece of a choice. */
  opening(answer: DemoAnswer, at: Place): Json[]
  piece(answer: DemoAnswer, piece: string): Json
  closing: Json
}

interface Place {
  id: string
  index: number
}

export function replyUsage(promptTokens: number, answers: readonly DemoAnswer[]): DemoUsage {
  return usageOf(
    promptTokens,
    answers.reduce((sum, answer) => sum + tokensOf(answer), 0),
  )
}

export const CHAT: Shape = {
  object: 'chat.completion',
  chunkObject: 'chat.completion.chunk',
  choice: (answer, at) => ({ message: message(answer, at), logprobs: null }),
  opening: (answer, at) =>
    answer.kind === 'text'
      ? [chatDelta({ role: 'assistant', content: '', refusal: null })]
      : [
          chatDelta({ role: 'assistant', content: null }),
          chatDelta({ tool_calls: [{ index: 0, ...toolCall(answer.name, '', at) }] }),
        ],
  piece: (answer, piece) =>
    answer.kind === 'text'
      ? chatDelta({ content: piece })
      : chatDelta({ tool_calls: [{ index: 0, function: { arguments: piece } }] }),
  closing: chatDelta({}),
}

export const TEXT: Shape = {
  object: 'text_completion',
  chunkObject: 'text_completion',
  choice: (answer) => ({ text: answer.pieces.join(''), logprobs: null }),
  opening: () => [],
  piece: (_, piece) => ({ text: piece, logprobs: null }),
  closing: { text: '', logprobs: null },
}

export function body(shape: Shape, { id, created, ask, answers, usage }: DemoReply): string {
  const choices = answers.map((answer, index) => ({
    index,
    ...shape.choice(answer, { id, index }),
    finish_reason: answer.finish,
  }))
  return JSON.stringify({ id, object: shape.object, created, model: ask.model, choices, usage })
}

/**
 * Yields a stream in frames of one piece each. The first frame also contains the opening chunks of every choice. The
 * last frame closes every choice, reports usage if requested, and ends with `[DONE]`. The pieces of several choices
 * alternate.
 */
export function* frames(shape: Shape, { id, created, ask, answers, usage }: DemoReply): Generator<string> {
  const common = { id, object: shape.chunkObject, created, model: ask.model }
  const reported = ask.includeUsage && usage
  const event = (choices: Json[], value: DemoUsage | null = null) =>
    `data: ${JSON.stringify({ ...common, choices, ...(reported ? { usage: value } : {}) })}\n\n`
  const chunk = (index: number, part: Json, finish: string | null = null) =>
    event([{ index, ...part, finish_reason: finish }])

  let openingChunks = answers
    .flatMap((answer, index) => shape.opening(answer, { id, index }).map((part) => chunk(index, part)))
    .join('')
  for (let round = 0; answers.some(({ pieces }) => round < pieces.length); round++) {
    for (const [index, answer] of answers.entries()) {
      const piece = answer.pieces[round]
      if (piece === undefined) continue
      yield openingChunks + chunk(index, shape.piece(answer, piece))
      openingChunks = ''
    }
  }
  const closing = answers.map(({ finish }, index) => chunk(index, shape.closing, finish)).join('')
  yield `${openingChunks}${closing}${reported ? event([], reported) : ''}data: [DONE]\n\n`
}

function chatDelta(delta: Json): Json {
  return { delta, logprobs: null }
}

function message(answer: DemoAnswer, at: Place): Json {
  const joinedPieces = answer.pieces.join('')
  return answer.kind === 'text'
    ? { role: 'assistant', content: joinedPieces, refusal: null, annotations: [] }
    : { role: 'assistant', content: null, refusal: null, tool_calls: [toolCall(answer.name, joinedPieces, at)] }
}

function toolCall(name: string, args: string, { id, index }: Place): Json {
  return { id: `call_${id}_${index}`, type: 'function', function: { name, arguments: args } }
}
