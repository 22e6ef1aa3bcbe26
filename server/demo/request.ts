import { isRecord } from '../../core/records.ts'
import type { Json } from '../relay/json.ts'
import { Refusal } from './refusal.ts'

/** Parses requests to the simulated upstream. Ignores fields that do not affect the simulation. */

interface DemoMessage {
  role: string
  text: string
}

export interface DemoTool {
  name: string
  parameters: unknown
}

export interface DemoRequest {
  model: string
  stream: boolean
  includeUsage: boolean
  choices: number
  /** Maximum number of pieces per choice. Undefined means no limit. */
  piecesMax: number | undefined
  stop: string[]
}

export interface DemoChatRequest extends DemoRequest {
  messages: DemoMessage[]
  /** The tool to call, or undefined if the request has no tools, or if the model should not call one. */
  tool: DemoTool | undefined
  /** The JSON schema that the reply must satisfy; `{}` means any object. */
  answerSchema: unknown
}

const CHOICES_MAX = 128

/** Returns the posted JSON object, which must have a model. Throws status 400 in OpenAI's format for other bodies. */
export function readObject(body: Buffer): Json & { model: string } {
  const parsed = parse(body)
  if (!isRecord(parsed))
    throw new Refusal(400, 'We could not parse the JSON body of your request: it is not an object.')
  const { model } = parsed
  if (typeof model !== 'string' || model === '') throw new Refusal(400, 'you must provide a model parameter')
  return { ...parsed, model }
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    throw new Refusal(400, 'We could not parse the JSON body of your request. The API expects a JSON payload.')
  }
}

export function readChat(body: Json & { model: string }): DemoChatRequest {
  if (!Array.isArray(body.messages) || body.messages.length === 0) throw missing('messages')
  const messages = body.messages.map(readMessage)
  return {
    ...readAsk(body),
    messages,
    tool: messages.at(-1)?.role === 'tool' ? undefined : pickTool(body),
    answerSchema: readAnswerSchema(body.response_format),
  }
}

export function readAsk(body: Json & { model: string }): DemoRequest {
  return {
    model: body.model,
    stream: body.stream === true,
    includeUsage: isRecord(body.stream_options) && body.stream_options.include_usage === true,
    choices: readCount(body, 'n', CHOICES_MAX) ?? 1,
    piecesMax: readCount(body, 'max_completion_tokens') ?? readCount(body, 'max_tokens'),
    stop: [body.stop].flat().filter((word): word is string => typeof word === 'string' && word !== ''),
  }
}

/** Returns an input as a list. The input may be a text, texts, token numbers, or lists of token numbers. */
export function readInputs(body: Json, name: string): (string | number[])[] {
  const value = body[name]
  if (value === undefined || value === null) throw missing(name)
  if (typeof value === 'string') return [value]
  if (isNumbers(value)) return [value]
  if (Array.isArray(value) && value.length > 0) {
    return value.map((item) => {
      if (typeof item === 'string' || isNumbers(item)) return item
      throw invalid(name, 'expected texts or token numbers')
    })
  }
  throw invalid(name, 'expected a text, a list of texts or token numbers')
}

/** Returns a whole number from 1 to `max`, or undefined for a missing or null field. Throws status 400 otherwise. */
export function readCount(body: Json, name: string, max = Number.MAX_SAFE_INTEGER): number | undefined {
  const value = body[name]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max) return value
  throw invalid(name, `expected a whole number from 1${max < Number.MAX_SAFE_INTEGER ? ` to ${max}` : ''}`)
}

function readMessage(message: unknown): DemoMessage {
  if (!isRecord(message) || typeof message.role !== 'string') throw invalid('messages', 'every message needs a role')
  return { role: message.role, text: readText(message.content) }
}

function isNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'number')
}

function readText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part) => (isRecord(part) && typeof part.text === 'string' ? part.text : '')).join('')
}

/** Returns the function tool that `tool_choice` names, or else the first tool. */
function pickTool({ tools, tool_choice: choice }: Json): DemoTool | undefined {
  if (!Array.isArray(tools) || choice === 'none') return undefined
  const functions = tools.flatMap((tool) => (isRecord(tool) && isRecord(tool.function) ? [tool.function] : []))
  const chosenName = isRecord(choice) && isRecord(choice.function) ? choice.function.name : undefined
  const chosenFunction = functions.find(({ name }) => name === chosenName) ?? functions[0]
  return chosenFunction && typeof chosenFunction.name === 'string'
    ? { name: chosenFunction.name, parameters: chosenFunction.parameters }
    : undefined
}

function readAnswerSchema(format: unknown): unknown {
  if (!isRecord(format)) return undefined
  if (format.type === 'json_schema' && isRecord(format.json_schema)) return format.json_schema.schema ?? {}
  return format.type === 'json_object' ? {} : undefined
}

function missing(name: string): Refusal {
  return new Refusal(400, `Missing required parameter: '${name}'.`, { param: name, code: 'missing_required_parameter' })
}

function invalid(name: string, expected: string): Refusal {
  return new Refusal(400, `Invalid value for '${name}': ${expected}.`, { param: name, code: 'invalid_value' })
}
