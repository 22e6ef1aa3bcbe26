import { isDeepStrictEqual } from 'node:util'

type Json = Readonly<Record<string, unknown>>

/**
 * Returns an OpenAPI document in which every object schema with a title is a component, named by the title. So client
 * generators write one type per component instead of one per route. Throws if two different schemas have the same
 * title. https://spec.openapis.org/oas/v3.1.0#components-object
 */
export function withComponents<D extends { paths?: object; components?: object }>(document: D): D {
  const schemas: Record<string, unknown> = {}

  function withRefs(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(withRefs)
    if (typeof value !== 'object' || value === null) return value
    const node = Object.fromEntries(Object.entries(value).map(([key, child]) => [key, withRefs(child)]))
    return isNamed(node) ? refTo(node) : node
  }

  function refTo({ description, ...schema }: Json & { title: string }): Json {
    const name = schema.title.replace(/ (\w)/g, (_, letter: string) => letter.toUpperCase())
    schemas[name] ??= schema
    if (!isDeepStrictEqual(schemas[name], schema)) throw new Error(`two schemas have the title ${name}`)
    return { $ref: `#/components/schemas/${name}`, ...(description !== undefined && { description }) }
  }

  const paths = withRefs(document.paths)
  const sorted = Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)))
  return { ...document, paths, components: { ...document.components, schemas: sorted } }
}

const isNamed = (node: Json): node is Json & { title: string } =>
  typeof node.title === 'string' && typeof node.properties === 'object'
