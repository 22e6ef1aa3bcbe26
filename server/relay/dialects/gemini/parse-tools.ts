import type { Tool, ToolChoice } from '../../conversation/conversation.ts'
import { arrayOf, defined, isObject, type Json, lookup, objectOf, objectsOf, textOf, wordOf } from '../../json.ts'
import { field } from './fields.ts'
import { jsonSchema } from './json-schema.ts'

/**
 * Functions of all elements of `tools`, and whether one of them is a search. What runs at Google alone is dropped: other
 * models have no such thing, and Gemini gets the request as it is. https://ai.google.dev/api/caching#Tool
 */
export function toolsOf(given: unknown): { tools: Tool[]; webSearch: boolean } {
  const elements = isObject(given) ? [given] : objectsOf(given)
  return {
    tools: elements.flatMap((element) => objectsOf(field(element, 'functionDeclarations')).map(functionTool)),
    webSearch: elements.some((element) =>
      ['googleSearch', 'googleSearchRetrieval'].some((name) => isObject(field(element, name))),
    ),
  }
}

function functionTool(declaration: Json): Tool {
  const standard = field(declaration, 'parametersJsonSchema')
  const own = declaration.parameters
  return defined({
    name: textOf(declaration.name) ?? '',
    description: textOf(declaration.description),
    parameters: isObject(standard) ? standard : isObject(own) ? jsonSchema(own) : undefined,
  }) as Tool
}

const MODES: Readonly<Record<string, ToolChoice['mode']>> = lookup({
  AUTO: 'auto',
  VALIDATED: 'auto',
  NONE: 'none',
  ANY: 'required',
})

export function toolChoiceOf(toolConfig: unknown): ToolChoice | undefined {
  const config = objectOf(field(objectOf(toolConfig), 'functionCallingConfig'))
  const mode = MODES[wordOf(config.mode).toUpperCase()]
  if (!mode) return undefined
  const names = arrayOf(field(config, 'allowedFunctionNames')).filter((name) => typeof name === 'string')
  return { mode, ...(names.length > 0 && mode !== 'none' && { names }) }
}
