import { isRecord, recordOf } from '../../../core/records.ts'
import { valuesOfSpellings } from '../hosted/folded.ts'
import { arrayOf, type Json } from '../json.ts'
import { estimatePromptText } from './estimate.ts'
import { fileTokens, type PromptFile, promptFile, promptImage } from './files.ts'

/** The contents of a prompt that determine its price: texts to count, and tokens without a text. */
export interface PromptSize {
  texts: string[]
  /** Tokens of message overhead, and of arrays of token ids. */
  otherTokens: number
  /** Files, whose tokens depend on the model. */
  files?: PromptFile[]
}

export function addFile(size: PromptSize, file: PromptFile): void {
  size.files ??= []
  size.files.push(file)
}

const TOKENS_PER_MESSAGE = 4
const REPLY_PRIMING = 3
const TOOLS_TOKENS = 8
/** Estimates the tokens of a whole prompt, including the usual tokens of its files. */
export function estimatePrompt({ texts, otherTokens, files }: PromptSize, model = ''): number {
  const fileTokenCount = files ? fileTokens(files, { model }, 'usual').tokens : 0
  return texts.reduce((sum, text) => sum + estimatePromptText(text), otherTokens + fileTokenCount)
}

/** Returns the size of a chat completion request: its messages, files and tools. */
export function promptOfChat(body: Readonly<Record<string, unknown>>): PromptSize {
  const size: PromptSize = { texts: [], otherTokens: REPLY_PRIMING }
  for (const message of arrayOf(body.messages)) {
    if (!isRecord(message)) continue
    size.otherTokens += TOKENS_PER_MESSAGE
    addContent(size, message.content)
    addText(size, message.name)
    if (message.tool_calls) size.texts.push(JSON.stringify(message.tool_calls))
    if (message.function_call) size.texts.push(JSON.stringify(message.function_call))
    addText(size, message.reasoning_content)
    addText(size, message.reasoning)
    addText(size, message.refusal)
  }
  addTools(size, body.tools)
  addTools(size, body.functions)
  addTools(size, body.response_format)
  return size
}

function addText(size: PromptSize, text: unknown): void {
  if (typeof text === 'string') size.texts.push(text)
}

function addTools(size: PromptSize, tools: unknown): void {
  if (tools === undefined || tools === null) return
  size.otherTokens += TOOLS_TOKENS
  size.texts.push(JSON.stringify(tools))
}

function addContent(size: PromptSize, content: unknown): void {
  addText(size, content)
  if (!Array.isArray(content)) return
  for (const part of content) {
    if (!isRecord(part)) continue
    addText(size, part.text)
    addMedia(size, part)
  }
}

function addMedia(size: PromptSize, part: Json): void {
  if (part.type === 'image_url') {
    const image = part.image_url
    // Check all spellings of `detail`, because an upstream may read any of them.
    const details = isRecord(image) ? valuesOfSpellings(image, 'detail') : []
    const isCoarse = details.length > 0 && details.every((detail) => detail === 'low')
    addFile(size, promptImage(isRecord(image) ? image.url : image, { isCoarse }))
  } else if (part.type === 'video_url' || part.type === 'video') {
    addFile(size, promptFile(recordOf(part.video_url).url ?? part.video_url, 'video/'))
  } else if (part.type === 'input_audio') {
    const { data, format } = recordOf(part.input_audio)
    addFile(size, promptFile(data, format ?? 'wav'))
  } else if (part.type === 'file') {
    const { file_data, file_id, file_url } = isRecord(part.file) ? part.file : part
    addFile(size, promptFile(file_id || file_url ? undefined : file_data, 'application/pdf'))
  }
}

/**
 * Returns the size of the `prompt` of a completion or the `input` of an embedding. `input` may be a text, texts, token
 * ids, or arrays of token ids.
 */
export function promptOfInput(input: unknown): PromptSize {
  const size: PromptSize = { texts: [], otherTokens: 0 }
  const add = (item: unknown): void => {
    if (typeof item === 'string') size.texts.push(item)
    else if (typeof item === 'number') size.otherTokens += 1
    else if (Array.isArray(item)) item.forEach(add)
    else if (isRecord(item)) size.texts.push(JSON.stringify(item))
  }
  add(input)
  return size
}
