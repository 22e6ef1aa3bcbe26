import type { PromptSize } from '../../counting/prompt.ts'
import { isObject, type Json, objectOf, wordOf } from '../../json.ts'
import type { Body } from '../dialect.ts'
import { contentsOf, field } from './fields.ts'
import { partsOf, systemText } from './parse.ts'

const TOKENS_PER_CONTENT = 4
/** Six tiles of 258 tokens, which is what a photograph usually takes. */
const IMAGE_TOKENS = 1548
/** 32 tokens for a second of sound, of which 16 kB of base64 are one at usual rates; pages and films are no cheaper. */
const BASE64_PER_TOKEN = 500
/** A file by its address: nobody knows its size. */
const FILE_TOKENS = 1548

/** Contents, instructions and tools of a request, as far as their price goes. */
export function promptOfContent(body: Body): PromptSize {
  const size: PromptSize = { texts: [], otherTokens: 0 }
  const system = systemText(field(body, 'systemInstruction'))
  if (system) size.texts.push(system)
  for (const content of contentsOf(body)) {
    size.otherTokens += TOKENS_PER_CONTENT
    if (typeof content === 'string') size.texts.push(content)
    for (const part of isObject(content) ? partsOf(content) : []) addPart(size, part)
  }
  for (const tools of [body.tools, field(objectOf(field(body, 'generationConfig')), 'responseSchema')]) {
    if (tools !== undefined && tools !== null) size.texts.push(JSON.stringify(tools))
  }
  return size
}

function addPart(size: PromptSize, part: Json): void {
  if (typeof part.text === 'string') size.texts.push(part.text)
  const data = field(part, 'inlineData')
  if (isObject(data)) size.otherTokens += inlineTokens(data)
  if (isObject(field(part, 'fileData'))) size.otherTokens += FILE_TOKENS
  for (const name of ['functionCall', 'functionResponse', 'executableCode', 'codeExecutionResult']) {
    const said = field(part, name)
    if (isObject(said)) size.texts.push(JSON.stringify(said))
  }
}

function inlineTokens(blob: Json): number {
  if (wordOf(field(blob, 'mimeType')).startsWith('image/')) return IMAGE_TOKENS
  return typeof blob.data === 'string' ? Math.ceil(blob.data.length / BASE64_PER_TOKEN) : 0
}
