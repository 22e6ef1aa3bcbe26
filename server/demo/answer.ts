import { exampleOf } from './example.ts'
import type { DemoChatRequest, DemoRequest, DemoTool } from './request.ts'

/** Replies of the simulated model. They depend only on the request, so equal requests get equal replies. */

interface Text {
  kind: 'text'
  /** Pieces of the text. Each piece counts as one token and is one chunk of a stream. */
  pieces: string[]
  finish: 'stop' | 'length'
}

interface ToolCall {
  kind: 'call'
  name: string
  /** Pieces of the arguments' JSON. The start of the call counts as another piece. */
  pieces: string[]
  finish: 'tool_calls' | 'length'
}

export type DemoAnswer = Text | ToolCall

const GREETINGS = {
  en: ['Hello!', 'Hi there!', 'Good day!', 'Greetings!'],
  zh: ['你好！', '您好！', '嗨！', '很高兴见到你！'],
}
const EXCERPT_LENGTH = 60
const FRAGMENT = /.{1,8}/gsu
/** A word with the preceding space, or up to two Chinese characters. */
const PIECE = /\s*(?:\p{Script=Han}{1,2}|[^\s\p{Script=Han}]+)|\s+$/gu

export function answerChat(ask: DemoChatRequest): DemoAnswer[] {
  const userText = lastText(ask, 'user')
  return Array.from({ length: ask.choices }, (_, choice) => {
    if (ask.tool) return callOf(ask.tool, userText, ask)
    if (ask.answerSchema !== undefined) return textAnswer(jsonText(ask.answerSchema, userText), ask)
    const result = ask.messages.at(-1)?.role === 'tool' ? lastText(ask, 'tool') : undefined
    return textAnswer(composeText({ model: ask.model, userText, result, choice }), ask)
  })
}

/** Returns one answer for each prompt and choice, ordered by prompt as in OpenAI's replies. */
export function answerPrompts(ask: DemoRequest, prompts: readonly (string | number[])[]): DemoAnswer[] {
  return prompts.flatMap((prompt) =>
    Array.from({ length: ask.choices }, (_, choice) =>
      textAnswer(composeText({ model: ask.model, userText: typeof prompt === 'string' ? prompt : '', choice }), ask),
    ),
  )
}

export function tokensOf(answer: DemoAnswer): number {
  return answer.kind === 'call' ? answer.pieces.length + 1 : answer.pieces.length
}

function textAnswer(text: string, { stop, piecesMax = Number.POSITIVE_INFINITY }: DemoRequest): Text {
  const stopPositions = stop.map((word) => text.indexOf(word)).filter((at) => at >= 0)
  const pieces = text.slice(0, Math.min(text.length, ...stopPositions)).match(PIECE) ?? []
  return { kind: 'text', pieces: pieces.slice(0, piecesMax), finish: pieces.length > piecesMax ? 'length' : 'stop' }
}

function callOf(
  { name, parameters }: DemoTool,
  userText: string,
  { piecesMax = Number.POSITIVE_INFINITY }: DemoRequest,
): ToolCall {
  const pieces = JSON.stringify(exampleOf(parameters, excerpt(userText))).match(FRAGMENT) ?? []
  const piecesAfterOpening = piecesMax - 1
  return {
    kind: 'call',
    name,
    pieces: pieces.slice(0, piecesAfterOpening),
    finish: pieces.length > piecesAfterOpening ? 'length' : 'tool_calls',
  }
}

function jsonText(schema: unknown, userText: string): string {
  const value = exampleOf(schema, excerpt(userText))
  return JSON.stringify(
    value !== null && typeof value === 'object' && !Object.keys(value).length ? { answer: excerpt(userText) } : value,
  )
}

interface TextInput {
  model: string
  userText: string
  result?: string | undefined
  choice: number
}

function composeText({ model, userText, result, choice }: TextInput): string {
  const language = /\p{Script=Han}/u.test(userText) ? 'zh' : 'en'
  const greeting = GREETINGS[language][choice % GREETINGS[language].length]
  return language === 'zh'
    ? `${greeting}我是模拟模型 ${model}，并没有真正的人工智能在阅读。你写道：“${excerpt(userText)}”。` +
        `${result === undefined ? '' : `工具的回答是：“${excerpt(result)}”。`}` +
        '你的请求经过网关到达这个内置的上游，再原路返回，用量已经计算。添加一个真实的渠道，就会得到真实的回答。'
    : `${greeting} I am ${model}, a simulated model: no real AI reads this. You wrote: “${excerpt(userText)}”. ` +
        `${result === undefined ? '' : `The tool answered: “${excerpt(result)}”. `}` +
        'Your request went through the gateway to this built-in upstream and back, and its usage was counted. ' +
        'Add a real channel to get a real reply.'
}

function excerpt(text: string): string {
  const line = [
    ...text
      .slice(0, EXCERPT_LENGTH * 4)
      .replace(/\s+/g, ' ')
      .trim(),
  ]
  return line.length > EXCERPT_LENGTH ? `${line.slice(0, EXCERPT_LENGTH).join('')}…` : line.join('')
}

function lastText({ messages }: DemoChatRequest, role: string): string {
  return messages.findLast((message) => message.role === role)?.text ?? ''
}
