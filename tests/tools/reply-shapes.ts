import type { JSONSchema } from 'json-schema-to-typescript'
import { type OpenApiDocument, REF_PREFIX } from '../support/api.ts'
import { BANNER, describedCalls } from './call-types.ts'

const WIDTH = 120
const PAGE = ['items', 'total', 'page', 'page_size'].join()

/** Returns the module with the shape of `data` in the reply to each call. */
export function replyShapes(document: OpenApiDocument): string {
  const objects = new Map<string, string>()

  function shapeOf(schema: JSONSchema): string {
    const { $ref, type, items, anyOf, allOf } = schema
    if ($ref) {
      const component = $ref.slice(REF_PREFIX.length)
      const name = component.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()
      objects.set(name, shapeOf(document.components.schemas[component] ?? {}))
      return name
    }
    if (anyOf) return `{ anyOf: [${anyOf.map(shapeOf).join(', ')}] }`
    if (allOf) return `[${allOf.map((part) => `...${shapeOf(part)}`).join(', ')}]`
    if (type === 'array' && items && !Array.isArray(items)) return `{ list: ${shapeOf(items)} }`
    if (type === 'string' || type === 'boolean') return `'${type}'`
    if (type === 'integer' || type === 'number') return `'number'`
    const rows = schema.properties?.items?.items
    if (rows && Object.keys(schema.properties ?? {}).join() === PAGE) return `{ page: ${shapeOf(rows)} }`
    if (type !== 'object') throw new Error(`a reply of an unknown type: ${JSON.stringify(schema)}`)
    const fields = Array.isArray(schema.required) ? schema.required : []
    return `[${fields.map((field) => `'${field}'`).join(', ')}]`
  }

  const replies = describedCalls(document).flatMap(({ name, answer }) => {
    const data = answer?.properties?.data
    return data ? [`  '${name}': ${shapeOf(data)},`] : []
  })
  const lines = [
    `${BANNER}\n`,
    ...[...objects].map(([name, shape]) => `const ${name} = ${shape} as const`),
    '\n/** What `data` in the reply to each call must be. A list of names is an object with these fields. */',
    'export const REPLIES = {',
    ...replies,
    '} as const\n',
  ]
  return lines.map(wrapped).join('\n')
}

/** Breaks a long line after its commas. */
function wrapped(line: string): string {
  const [first = '', ...words] = line.split(/(?<=,) /)
  const lines = [first]
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`
    if (longer.length <= WIDTH) lines.splice(-1, 1, longer)
    else lines.push(`    ${word}`)
  }
  return lines.join('\n')
}
