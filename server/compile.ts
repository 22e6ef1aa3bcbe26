import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import fastJson from 'fast-json-stringify'
import type { FastifyInstance } from 'fastify'

/** The schemas are written with TypeBox: that they are schemas need not be found out each time. */
const OURS = { verbose: true, useDefaults: true, validateSchema: false } as const

/**
 * Schemas are compiled when their route is first called: all of them together take longer than everything else that a
 * gateway does when it starts, and most are not called for a while.
 */
export function compileLazily(app: FastifyInstance): void {
  const strict = new Ajv({ ...OURS, coerceTypes: false })
  // A path has nothing but text.
  const fromText = new Ajv({ ...OURS, coerceTypes: true })

  app.setValidatorCompiler(({ schema, httpPart }) => {
    let compiled: ValidateFunction | undefined
    const validate = (data: unknown): boolean => {
      compiled ??= (httpPart === 'params' ? fromText : strict).compile(schema as object)
      const fits = compiled(data)
      validate.errors = compiled.errors ?? null
      return fits
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
