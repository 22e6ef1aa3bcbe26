import { isRecord, recordOf } from '../../../../core/records.ts'
import type { Tool, ToolChoice } from '../../conversation/conversation.ts'
import { arrayOf, defined, type Json, lookup, objectsOf, textOf, wordOf } from '../../json.ts'
import { refuse } from '../refuse.ts'
import { field, snakeCase } from './fields.ts'
import { jsonSchema } from './json-schema.ts'

/**
 * Returns the functions of all tools, and whether the client requests web search. Throws REQUEST_MALFORMED for Google's
 * other hosted tools, which only Gemini can run. https://ai.google.dev/api/caching#Tool
 */
export function geminiToolsOf(value: unknown): { tools: Tool[]; webSearch: boolean } {
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

export function geminiToolChoiceOf(toolConfig: unknown): ToolChoice | undefined {
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
