import { isRecord } from '../records.ts'
import type { JsonObject, ResponseContent } from './content.ts'

/** Minimum length, in characters, of a text that counts as the data of an image, a recording or a file. */
const DATA_LENGTH_MIN = 4096

/** Replaces the data of images, recordings and files by placeholders, and adds their paths to `omitted`. */
export function withoutMedia({ response, input, omitted }: ResponseContent): ResponseContent {
  const paths = [...omitted]
  const addPath = (path: string) => paths.push(path)
  const strippedInput = input.map((item, index) => stripItem(item, `input[${index}]`, addPath))
  if (!response) return { input: strippedInput, omitted: paths }
  const output = listOf(response.output).map((item, index) => stripItem(item, `output[${index}]`, addPath))
  return { response: { ...response, output }, input: strippedInput, omitted: paths }
}

type AddPath = (path: string) => void

function stripItem(item: JsonObject, path: string, addPath: AddPath): JsonObject {
  const stripped: Record<string, unknown> = { ...item }
  for (const field of ['content', 'output']) {
    const parts = item[field]
    if (!Array.isArray(parts)) continue
    stripped[field] = parts.map((part: unknown, index) => stripPart(part, `${path}.${field}[${index}]`, addPath))
  }
  const { result } = item
  if (item.type === 'image_generation_call' && typeof result === 'string' && result.length >= DATA_LENGTH_MIN) {
    addPath(`${path}.result`)
    stripped.result = null
  }
  return stripped
}

/** Fields with the data of an image, a recording or a file, or with a data URL. */
const DATA_FIELDS = ['image_url', 'file_data', 'input_audio'] as const

function stripPart(part: unknown, path: string, addPath: AddPath): unknown {
  if (!isRecord(part)) return part
  const size = Math.max(...DATA_FIELDS.map((name) => sizeOf(part[name])))
  if (size < DATA_LENGTH_MIN) return part
  addPath(path)
  const type = String(part.type).replace(/^input_/, '')
  return { type: 'input_text', text: `[The ${type} that was here was too large to be stored]` }
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  return Math.max(0, ...Object.values(value).map((inner) => (typeof inner === 'string' ? inner.length : 0)))
}

function listOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value : []
}
