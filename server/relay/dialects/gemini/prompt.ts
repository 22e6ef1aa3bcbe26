import { isRecord, recordOf } from '../../../../core/records.ts'
import { type PromptFile, promptFile } from '../../counting/files.ts'
import { addFile, type PromptContents } from '../../counting/prompt.ts'
import { type Json, numberOf } from '../../json.ts'
import type { Body } from '../dialect.ts'
import { contentsOf, field } from './fields.ts'
import { geminiPartsOf, systemText } from './parse.ts'

const TOKENS_PER_CONTENT = 4

/** Returns what determines the prompt's price: instructions, contents, tools and response schema. */
export function promptOfContent(body: Body): PromptContents {
  const contents: PromptContents = { texts: [], otherTokens: 0 }
  const system = systemText(field(body, 'systemInstruction'))
  if (system) contents.texts.push(system)
  for (const content of contentsOf(body)) {
    contents.otherTokens += TOKENS_PER_CONTENT
    if (typeof content === 'string') contents.texts.push(content)
    for (const part of isRecord(content) ? geminiPartsOf(content) : []) addPart(contents, part)
  }
  const config = recordOf(field(body, 'generationConfig'))
  const schemas = [field(config, 'responseSchema'), field(config, 'responseJsonSchema'), config._responseJsonSchema]
  for (const declaration of [body.tools, ...schemas]) {
    if (declaration !== undefined && declaration !== null) contents.texts.push(JSON.stringify(declaration))
  }
  return contents
}

function addPart(contents: PromptContents, part: Json): void {
  if (typeof part.text === 'string') contents.texts.push(part.text)
  for (const name of ['inlineData', 'fileData']) {
    const blob = field(part, name)
    if (isRecord(blob)) addFile(contents, fileOf(blob, field(part, 'videoMetadata')))
  }
  for (const name of ['functionCall', 'functionResponse', 'executableCode', 'codeExecutionResult']) {
    const value = field(part, name)
    if (isRecord(value)) contents.texts.push(JSON.stringify(value))
  }
}

function fileOf(blob: Json, video: unknown): PromptFile {
  const file = promptFile(blob.data ?? field(blob, 'fileUri'), field(blob, 'mimeType'))
  const framesPerSecond = numberOf(recordOf(video).fps)
  return framesPerSecond === undefined ? file : { ...file, framesPerSecond }
}
