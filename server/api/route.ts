import type { FastifyContextConfig, FastifySchema } from 'fastify'
import type { TSchema } from 'typebox'
import type { Access } from './access.ts'

/** A route without its tag, summary and access: schemas of its requests, and of its reply with status 200. */
interface Route extends Omit<FastifySchema, 'tags' | 'summary' | 'response'> {
  reply: TSchema
  config?: Omit<FastifyContextConfig, 'access'>
}

/** Returns a function that makes the options of routes with the same tag and access. */
export function describeRoutes(tag: string, access: Access) {
  return <R extends Route>(summary: string, { reply, config, ...request }: R) => ({
    config: { access, ...config },
    schema: { tags: [tag], summary, ...request, response: { 200: reply } },
  })
}
