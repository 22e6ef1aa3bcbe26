import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import fastJson from 'fast-json-stringify'
import type { FastifyInstance } from 'fastify'

/** Options of Ajv. TypeBox creates valid schemas, so Ajv need not validate the schemas themselves. */
const AJV_OPTIONS = { verbose: true, useDefaults: true, validateSchema: false } as const

/**
 * Makes Fastify compile each schema at the first call of its route. Compiling all schemas at the start would take
 * longer than all other steps of the start.
 */
export function compileLazily(app: FastifyInstance): void {
  const strict = new Ajv({ ...AJV_OPTIONS, coerceTypes: false })
  // URL path parameters arrive as strings, so they are converted to the types of the schema.
  const fromText = new Ajv({ ...AJV_OPTIONS, coerceTypes: true })

  app.setValidatorCompiler(({ schema, httpPart }) => {
    let compiled: ValidateFunction | undefined
    const validate = (data: unknown): boolean => {
      compiled ??= (httpPart === 'params' ? fromText : strict).compile(schema as object)
      const isValid = compiled(data)
      validate.errors = compiled.errors ?? null
      return isValid
    }
    validate.errors = null as ErrorObject[] | null
    return validate
  })

  app.setSerializerCompiler(({ schema }) => {
    let compiled: ((data: unknown) => string) | undefined
    return (data) => {
      compiled ??= fastJson(schema as Parameters<typeof fastJson>[0])
      return compiled(data)
    }
  })
}
