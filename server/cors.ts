import type { FastifyReply, FastifyRequest } from 'fastify'

const PREFLIGHT = {
  'access-control-allow-methods': 'GET,POST,PUT,DELETE,OPTIONS',
  'access-control-allow-headers': '*',
  'access-control-max-age': '43200',
}

/**
 * Lets pages of any origin read the answer: for routes whose only credential is a key that the page itself sends, and
 * for what everybody may read; never for those that a cookie opens. On the raw reply, since the relay answers past
 * Fastify.
 */
export function allowAnyOrigin(request: FastifyRequest, reply: FastifyReply, done?: () => void): void {
  if (request.headers.origin) reply.raw.setHeader('access-control-allow-origin', '*')
  done?.()
}

export function preflight(_request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply.code(204).header('access-control-allow-origin', '*').headers(PREFLIGHT).send()
}
