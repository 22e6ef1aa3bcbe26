import { isRecord } from '../../../../core/records.ts'
import { type PromptFile, promptFile, promptImage } from '../../counting/files.ts'
import { addFile, type PromptContents } from '../../counting/prompt.ts'
import { type Json, objectsOf, textOf } from '../../json.ts'
import type { Body } from '../dialect.ts'

const TOKENS_PER_MESSAGE = 4
const TOKENS_PER_TOOL = 3

/** Returns the texts and files of a Messages or token counting request. Base64 data counts as files, not as text. */
export function promptOfMessages(body: Body): PromptContents {
  const contents: PromptContents = { texts: [], otherTokens: 0 }
  addContent(contents, body.system)
  for (const message of objectsOf(body.messages)) {
    contents.otherTokens += TOKENS_PER_MESSAGE
    addContent(contents, message.content)
  }
  for (const { name, description, input_schema } of objectsOf(body.tools)) {
    contents.otherTokens += TOKENS_PER_TOOL
    contents.texts.push(JSON.stringify([name, description, input_schema]))
  }
  return contents
}

function addContent(contents: PromptContents, content: unknown): void {
  if (typeof content === 'string') contents.texts.push(content)
  else for (const block of objectsOf(content)) addBlock(contents, block)
}

/**
 * Adds a block of any type: a text, thinking, a tool call (`input`), a result (`content`), an image (`source`), or a
 * document (`source`, `title`, `context`).
 */
function addBlock(contents: PromptContents, block: Json): void {
  const source = isRecord(block.source) ? block.source : undefined
  if (source?.type === 'text' || source?.type === 'content') addContent(contents, source.data ?? source.content)
  else if (source) addFile(contents, mediaOf(block, source))
  for (const text of [block.text, block.thinking, block.title, block.context]) {
    const value = textOf(text)
    if (value) contents.texts.push(value)
  }
  if (block.input !== undefined) contents.texts.push(JSON.stringify([block.name, block.input]))
  addContent(contents, block.content)
}

function mediaOf(block: Json, source: Json): PromptFile {
  const data = source.type === 'base64' ? source.data : undefined
  if (block.type === 'image') return promptImage(data, { isCoarse: false })
  return promptFile(data, source.media_type ?? 'application/pdf')
}
