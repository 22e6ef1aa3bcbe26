import { defined, isRecord, recordOf } from '../../../../core/records.ts'
import type { Conversation, Part, Tool, ToolChoice, Turn } from '../../conversation/conversation.ts'
import { arrayOf, type Json, lookup, objectsOf, textOf, wordOf } from '../../json.ts'
import type { Body } from '../dialect.ts'
import { refuse } from '../refuse.ts'
import { contentsOf, field, snakeCase } from './fields.ts'
import { jsonSchema } from './json-schema.ts'
import { configOf } from './parse-config.ts'
import { createCallIds, partOf } from './parse-parts.ts'
import { countedRequest } from './requests.ts'

/**
 * Parses a `generateContent` request, or the request inside a `countTokens` request. The path names the model and
 * decides whether to stream. Throws REQUEST_MALFORMED. https://ai.google.dev/api/generate-content
 */
export function parseContent(request: Body): Conversation {
  const body = countedRequest(request)
  if (field(body, 'cachedContent'))
    refuse('cachedContent is stored at Google and cannot be read by this model: send the contents themselves')
  const { tools, webSearch } = geminiToolsOf(field(body, 'tools'))
  return defined({
    ...configOf(field(body, 'generationConfig')),
    turns: [...systemTurns(field(body, 'systemInstruction')), ...turnsOf(contentsOf(body))],
    tools,
    toolChoice: geminiToolChoiceOf(field(body, 'toolConfig')),
    webSearch: webSearch ? {} : undefined,
  }) as Conversation
}

function systemTurns(instruction: unknown): Turn[] {
  const text = systemText(instruction)
  return text ? [{ role: 'system', parts: [{ kind: 'text', text }] }] : []
}

/** Returns the text of a system instruction, which may be a string, a content, or a list of these. */
export function systemText(instruction: unknown): string {
  if (typeof instruction === 'string') return instruction
  if (Array.isArray(instruction)) return instruction.map(systemText).filter(Boolean).join('\n')
  if (!isRecord(instruction)) return ''
  if (typeof instruction.text === 'string') return instruction.text
  const { parts } = instruction
  return (Array.isArray(parts) ? parts : [parts]).map(systemText).filter(Boolean).join('\n')
}

function turnsOf(contents: readonly unknown[]): Turn[] {
  const names = createCallIds()
  return contents.map((content, at): Turn => {
    if (typeof content === 'string') return { role: 'user', parts: [{ kind: 'text', text: content }] }
    if (!isRecord(content)) return refuse(`contents[${at}] must be an object with role and parts`)
    const { role } = content
    return {
      role: role === 'model' ? 'assistant' : role === 'system' ? 'system' : 'user',
      parts: geminiPartsOf(content).flatMap((part, index): Part[] =>
        partOf(part, { at: `contents[${at}].parts[${index}]`, names }),
      ),
    }
  })
}

/** Returns the parts of a content as a list. A client may send a single part without a list. */
export function geminiPartsOf({ parts }: Readonly<Json>): Json[] {
  return isRecord(parts) ? [parts] : objectsOf(parts)
}

/**
 * Returns the functions of all tools, and whether the client requests web search. Throws REQUEST_MALFORMED for Google's
 * other hosted tools, which only Gemini can run. https://ai.google.dev/api/caching#Tool
 */
function geminiToolsOf(value: unknown): { tools: Tool[]; webSearch: boolean } {
  const elements = isRecord(value) ? [value] : objectsOf(value)
  for (const [at, element] of elements.entries()) refuseHosted(element, at)
  return {
    tools: elements.flatMap((element) => objectsOf(field(element, 'functionDeclarations')).map(functionTool)),
    webSearch: elements.some((element) =>
      ['googleSearch', 'googleSearchRetrieval'].some((name) => isRecord(field(element, name))),
    ),
  }
}

const TRANSLATED_FIELDS = new Set(
  ['functionDeclarations', 'googleSearch', 'googleSearchRetrieval'].flatMap((name) => [name, snakeCase(name)]),
)

function refuseHosted(element: Json, at: number): void {
  for (const [name, value] of Object.entries(element)) {
    if (value === null || value === undefined || TRANSLATED_FIELDS.has(name)) continue
    refuse(`tools[${at}].${name} runs only at Google; leave it out, or ask a model of Google's`)
  }
}

function functionTool(declaration: Json): Tool {
  const standardSchema = field(declaration, 'parametersJsonSchema')
  const openApiSchema = declaration.parameters
  return defined({
    name: textOf(declaration.name) ?? '',
    description: textOf(declaration.description),
    parameters: isRecord(standardSchema)
      ? standardSchema
      : isRecord(openApiSchema)
        ? jsonSchema(openApiSchema)
        : undefined,
  }) as Tool
}

const MODES: Readonly<Record<string, ToolChoice['mode']>> = lookup({
  AUTO: 'auto',
  VALIDATED: 'auto',
  NONE: 'none',
  ANY: 'required',
})

function geminiToolChoiceOf(toolConfig: unknown): ToolChoice | undefined {
  const config = recordOf(field(recordOf(toolConfig), 'functionCallingConfig'))
  const mode = MODES[wordOf(config.mode).toUpperCase()]
  if (!mode) {
    const modeName = wordOf(config.mode ?? '')
    if (modeName === '' || modeName === 'MODE_UNSPECIFIED') return undefined
    return refuse(
      `toolConfig.functionCallingConfig.mode "${modeName}" is not supported: use AUTO, ANY, NONE or VALIDATED`,
    )
  }
  const names = arrayOf(field(config, 'allowedFunctionNames')).filter((name) => typeof name === 'string')
  return { mode, ...(names.length > 0 && mode !== 'none' && { names }) }
}
