import type { Content, JsonObject } from './content.ts'

/** From this length on, a text counts as the data of an image, a recording or a file. */
const DATA_LENGTH_MIN = 4096

/**
 * Returns the content with placeholder texts instead of the data of images, recordings and files, whose places are added to
 * `omitted`.
 */
export function withoutMedia({ response, input, omitted }: Content): Content {
  const places = [...omitted]
  const report = (place: string) => places.push(place)
  const kept = input.map((item, at) => lighterItem(item, `input[${at}]`, report))
  if (!response) return { input: kept, omitted: places }
  const output = listOf(response.output).map((item, at) => lighterItem(item, `output[${at}]`, report))
  return { response: { ...response, output }, input: kept, omitted: places }
}

type Report = (place: string) => void

function lighterItem(item: JsonObject, place: string, report: Report): JsonObject {
  const lighter: Record<string, unknown> = { ...item }
  for (const field of ['content', 'output']) {
    const parts = item[field]
    if (!Array.isArray(parts)) continue
    lighter[field] = parts.map((part: unknown, at) => lighterPart(part, `${place}.${field}[${at}]`, report))
  }
  const { result } = item
  if (item.type === 'image_generation_call' && typeof result === 'string' && result.length >= DATA_LENGTH_MIN) {
    report(`${place}.result`)
    lighter.result = null
  }
  return lighter
}

/** Fields with the data of a part, or with a data URL. */
const DATA_FIELDS = ['image_url', 'file_data', 'input_audio'] as const

function lighterPart(part: unknown, place: string, report: Report): unknown {
  if (typeof part !== 'object' || part === null) return part
  const fields = part as JsonObject
  const size = Math.max(...DATA_FIELDS.map((name) => sizeOf(fields[name])))
  if (size < DATA_LENGTH_MIN) return part
  report(place)
  const type = String(fields.type).replace(/^input_/, '')
  return { type: 'input_text', text: `[The ${type} that was here was too large to be stored]` }
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  return Math.max(0, ...Object.values(value).map((inner) => (typeof inner === 'string' ? inner.length : 0)))
}

function listOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? (value as JsonObject[]) : []
}
