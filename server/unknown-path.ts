import type { FastifyReply, FastifyRequest } from 'fastify'

/** The documented answer to a path that does not exist below the API prefixes. */
export async function invalidUrl(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const [path = ''] = request.url.split('?')
  const message = `Invalid URL (${request.method} ${path})`
  return reply.code(404).send({ error: { message, type: 'invalid_request_error', param: '', code: '' } })
}
