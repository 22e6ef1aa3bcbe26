import { isRecord } from '../../../../core/records.ts'
import type { Json } from '../../json.ts'

/* Tencent's format is OpenAI's with other field names, such as `ToolCalls` instead of `tool_calls`. */

/** Converts keys such as `ToolCalls` to `tool_calls`, at every depth. Values do not change. */
export function withSnakeNames(body: Json): Json {
  return renameKeys(body, snakeName) as Json
}

/** Converts keys such as `tool_calls` to `ToolCalls`, at every depth. Values do not change. */
export function withPascalNames(body: Json): Json {
  return renameKeys(body, pascalName) as Json
}

function renameKeys(value: unknown, rename: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => renameKeys(item, rename))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [rename(name), renameKeys(inner, rename)]))
}

function snakeName(name: string): string {
  return name.replace(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase()
}

function pascalName(name: string): string {
  return name.replace(/(^|_)([a-z])/g, (_, __, letter: string) => letter.toUpperCase())
}
