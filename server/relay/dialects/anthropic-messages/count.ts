import { isRecord } from '../../../../core/records.ts'
import { type PromptFile, promptFile, promptImage } from '../../counting/files.ts'
import { addFile, type PromptSize } from '../../counting/prompt.ts'
import { type Json, objectsOf, textOf } from '../../json.ts'
import type { Body } from '../dialect.ts'

const TOKENS_PER_MESSAGE = 4
const TOKENS_PER_TOOL = 3

/** Returns the size of the prompt of a Messages or token counting request. Base64 data counts as files, not as text. */
export function promptOfMessages(body: Body): PromptSize {
  const size: PromptSize = { texts: [], otherTokens: 0 }
  addContent(size, body.system)
  for (const message of objectsOf(body.messages)) {
    size.otherTokens += TOKENS_PER_MESSAGE
    addContent(size, message.content)
  }
  for (const { name, description, input_schema } of objectsOf(body.tools)) {
    size.otherTokens += TOKENS_PER_TOOL
    size.texts.push(JSON.stringify([name, description, input_schema]))
  }
  return size
}

function addContent(size: PromptSize, content: unknown): void {
  if (typeof content === 'string') size.texts.push(content)
  else for (const block of objectsOf(content)) addBlock(size, block)
}

function addBlock(size: PromptSize, block: Json): void {
  const source = isRecord(block.source) ? block.source : undefined
  if (source?.type === 'text' || source?.type === 'content') addContent(size, source.data ?? source.content)
  else if (source) addFile(size, mediaOf(block, source))
  for (const text of [block.text, block.thinking, block.title, block.context]) {
    const value = textOf(text)
    if (value) size.texts.push(value)
  }
  if (block.input !== undefined) size.texts.push(JSON.stringify([block.name, block.input]))
  addContent(size, block.content)
}

function mediaOf(block: Json, source: Json): PromptFile {
  const data = source.type === 'base64' ? source.data : undefined
  if (block.type === 'image') return promptImage(data, { isCoarse: false })
  return promptFile(data, source.media_type ?? 'application/pdf')
}
