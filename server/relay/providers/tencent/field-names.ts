import { isObject, type Json } from '../../json.ts'

/*
 * Tencent's format is OpenAI's with other names: `tool_calls` is `ToolCalls`.
 */

/** `ToolCalls` becomes `tool_calls`, at every depth; values stay. */
export function withSnakeNames(body: Json): Json {
  return renamed(body, snakeName) as Json
}

/** `tool_calls` becomes `ToolCalls`, at every depth; values stay. */
export function withPascalNames(body: Json): Json {
  return renamed(body, pascalName) as Json
}

function renamed(value: unknown, rename: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, rename))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [rename(name), renamed(inner, rename)]))
}

function snakeName(name: string): string {
  return name.replace(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase()
}

function pascalName(name: string): string {
  return name.replace(/(^|_)([a-z])/g, (_, __, letter: string) => letter.toUpperCase())
}
