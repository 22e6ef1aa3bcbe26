import { isRecord, recordOf } from '../../../core/records.ts'
import { valuesOfSpellings } from '../hosted/folded.ts'
import { arrayOf, type Json } from '../json.ts'
import { estimatePromptText } from './estimate.ts'
import { fileTokens, type PromptFile, promptFile, promptImage } from './files.ts'

/** The contents of a prompt that determine its price: texts to count, and tokens without a text. */
export interface PromptContents {
  texts: string[]
  /** Tokens of message overhead, and of arrays of token ids. */
  otherTokens: number
  /** Files, whose tokens depend on the model. */
  files?: PromptFile[]
}

export function addFile(contents: PromptContents, file: PromptFile): void {
  contents.files ??= []
  contents.files.push(file)
}

const TOKENS_PER_MESSAGE = 4
const REPLY_PRIMING = 3
const TOOLS_TOKENS = 8
/** Estimates the tokens of a whole prompt, including the usual tokens of its files. */
export function estimatePrompt({ texts, otherTokens, files }: PromptContents, model = ''): number {
  const fileTokenCount = files ? fileTokens(files, { model }, 'usual').tokens : 0
  return texts.reduce((sum, text) => sum + estimatePromptText(text), otherTokens + fileTokenCount)
}

/** Returns the contents of a chat completion request: the texts of messages and tools, and the files. */
export function promptOfChat(body: Readonly<Record<string, unknown>>): PromptContents {
  const contents: PromptContents = { texts: [], otherTokens: REPLY_PRIMING }
  for (const message of arrayOf(body.messages)) {
    if (!isRecord(message)) continue
    contents.otherTokens += TOKENS_PER_MESSAGE
    addContent(contents, message.content)
    addText(contents, message.name)
    if (message.tool_calls) contents.texts.push(JSON.stringify(message.tool_calls))
    if (message.function_call) contents.texts.push(JSON.stringify(message.function_call))
    addText(contents, message.reasoning_content)
    addText(contents, message.reasoning)
    addText(contents, message.refusal)
  }
  addTools(contents, body.tools)
  addTools(contents, body.functions)
  addTools(contents, body.response_format)
  return contents
}

function addText(contents: PromptContents, text: unknown): void {
  if (typeof text === 'string') contents.texts.push(text)
}

function addTools(contents: PromptContents, tools: unknown): void {
  if (tools === undefined || tools === null) return
  contents.otherTokens += TOOLS_TOKENS
  contents.texts.push(JSON.stringify(tools))
}

function addContent(contents: PromptContents, content: unknown): void {
  addText(contents, content)
  if (!Array.isArray(content)) return
  for (const part of content) {
    if (!isRecord(part)) continue
    addText(contents, part.text)
    addMedia(contents, part)
  }
}

function addMedia(contents: PromptContents, part: Json): void {
  if (part.type === 'image_url') {
    const image = part.image_url
    // Check all spellings of `detail`, because an upstream may read any of them.
    const details = isRecord(image) ? valuesOfSpellings(image, 'detail') : []
    const isCoarse = details.length > 0 && details.every((detail) => detail === 'low')
    addFile(contents, promptImage(isRecord(image) ? image.url : image, { isCoarse }))
  } else if (part.type === 'video_url' || part.type === 'video') {
    addFile(contents, promptFile(recordOf(part.video_url).url ?? part.video_url, 'video/'))
  } else if (part.type === 'input_audio') {
    const { data, format } = recordOf(part.input_audio)
    addFile(contents, promptFile(data, format ?? 'wav'))
  } else if (part.type === 'file') {
    const { file_data, file_id, file_url } = isRecord(part.file) ? part.file : part
    addFile(contents, promptFile(file_id || file_url ? undefined : file_data, 'application/pdf'))
  }
}

/**
 * Returns the contents of the `prompt` of a completion, or of the `input` of an embedding. Both may be a text, a list
 * of texts, token ids, or lists of token ids.
 */
export function promptOfInput(input: unknown): PromptContents {
  const contents: PromptContents = { texts: [], otherTokens: 0 }
  const add = (item: unknown): void => {
    if (typeof item === 'string') contents.texts.push(item)
    else if (typeof item === 'number') contents.otherTokens += 1
    else if (Array.isArray(item)) item.forEach(add)
    else if (isRecord(item)) contents.texts.push(JSON.stringify(item))
  }
  add(input)
  return contents
}
