import { isRecord } from '../records.ts'
import type { Content, JsonObject } from './content.ts'

/** A text of at least this many characters counts as the data of an image, a recording or a file. */
const DATA_LENGTH_MIN = 4096

/**
 * Returns the content with a placeholder instead of the data of each image, recording and file. Adds the path of each replaced
 * part to `omitted`.
 */
export function withoutMedia({ response, input, omitted }: Content): Content {
  const places = [...omitted]
  const addPlace = (place: string) => places.push(place)
  const strippedInput = input.map((item, at) => stripItem(item, `input[${at}]`, addPlace))
  if (!response) return { input: strippedInput, omitted: places }
  const output = listOf(response.output).map((item, at) => stripItem(item, `output[${at}]`, addPlace))
  return { response: { ...response, output }, input: strippedInput, omitted: places }
}

/** Adds a path to the omitted places. */
type AddPlace = (place: string) => void

function stripItem(item: JsonObject, place: string, addPlace: AddPlace): JsonObject {
  const stripped: Record<string, unknown> = { ...item }
  for (const field of ['content', 'output']) {
    const parts = item[field]
    if (!Array.isArray(parts)) continue
    stripped[field] = parts.map((part: unknown, at) => stripPart(part, `${place}.${field}[${at}]`, addPlace))
  }
  const { result } = item
  if (item.type === 'image_generation_call' && typeof result === 'string' && result.length >= DATA_LENGTH_MIN) {
    addPlace(`${place}.result`)
    stripped.result = null
  }
  return stripped
}

/** Fields that hold the data of a part, or a data URL. */
const DATA_FIELDS = ['image_url', 'file_data', 'input_audio'] as const

function stripPart(part: unknown, place: string, addPlace: AddPlace): unknown {
  if (!isRecord(part)) return part
  const size = Math.max(...DATA_FIELDS.map((name) => sizeOf(part[name])))
  if (size < DATA_LENGTH_MIN) return part
  addPlace(place)
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
