import fastifyCookie from '@fastify/cookie'
import type { FastifyError, FastifyPluginAsync } from 'fastify'
import { Type } from 'typebox'
import { relayLanguageOf, toBodyError } from '../admission/body-refusal.ts'
import type { DrawingParts } from '../tasks/midjourney/exchange.ts'
import { createPictures, PictureRefusal } from '../tasks/midjourney/pictures.ts'
import { fetchDrawing, fetchSeed, listCallerDrawings } from '../tasks/midjourney/queries.ts'
import { drawingError, drawingRefusal } from '../tasks/midjourney/refusal.ts'
import type { DrawingRequest } from '../tasks/midjourney/request.ts'
import { SUBMIT_PATHS } from '../tasks/midjourney/submission-body.ts'
import { submitDrawing } from '../tasks/midjourney/submit.ts'

/** First path segments of other routes of the gateway, which cannot be modes. */
const OTHER_PATHS = 'api|assets|console|docs|pg|suno|v1|v1beta'
/** Pattern of the path segment before `/mj`, which is a mode of drawings, such as `fast`. */
const MODE = `/:mode(^(?!(?:${OTHER_PATHS})$)[A-Za-z0-9_-]{1,40}$)`

/** The routes for clients of a Midjourney proxy's API: https://github.com/novicezk/midjourney-proxy */
export const midjourneyPaths: FastifyPluginAsync<DrawingParts & { bodyMax: number }> = async (app, parts) => {
  await app.register(fastifyCookie)
  const pictures = createPictures(parts)
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const context = { requestId: request.id, language: relayLanguageOf(request) }
    const { status, body, retryAfterSeconds } = drawingRefusal(toBodyError(error, parts.bodyMax), context)
    if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
    if (status === 500) parts.logger.error({ requestId: request.id, err: error }, 'relay failed')
    // This serializer keeps all fields of the error, even if the route's schema does not list them.
    reply.code(status).type('application/json; charset=utf-8').serializer(JSON.stringify).send(body)
  })
  for (const root of ['/mj', `${MODE}/mj`]) {
    const schema = (summary: string) => (root === '/mj' ? described(summary) : { hide: true })
    const picture = root === '/mj' ? PICTURE : { hide: true }
    for (const path of SUBMIT_PATHS) {
      app.post(`${root}/${path}`, { schema: schema(`Drawing: ${path}`) }, async (request, reply) => {
        await submitDrawing(parts, request, reply, path)
        return reply
      })
    }
    app.get(`${root}/task/:id/fetch`, { schema: schema('A drawing') }, (request) =>
      fetchDrawing(parts, request as DrawingRequest),
    )
    app.post(
      `${root}/task/list-by-condition`,
      { schema: schema('Drawings by their ids'), config: { sender: 'free' } },
      (request) => listCallerDrawings(parts, request),
    )
    app.get(`${root}/task/:id/image-seed`, { schema: schema('The seed of a drawing') }, (request, reply) =>
      fetchSeed(parts, request as DrawingRequest, reply),
    )
    app.get(
      `${root}/image/:id`,
      { config: { navigable: true }, schema: picture, attachValidation: true },
      (request, reply) => pictures.send(request as DrawingRequest, reply),
    )
    app.post(
      `${root}/notify`,
      {
        schema: schema('Always rejected: the gateway polls upstreams for drawings, and accepts no notifications'),
        config: { sender: 'anyone' },
        // Rejects before the body is read, because the route needs no key.
        onRequest: rejectNotification,
      },
      rejectNotification,
    )
  }
}

async function rejectNotification(): Promise<never> {
  throw drawingError('notify_not_accepted')
}

const Refusal = Type.Object(
  { description: Type.String(), type: Type.Literal('upstream_error'), code: Type.Integer() },
  {
    description:
      'An error. Code 4: invalid request, or another error; 5: failure of the upstream; 30: too many requests (status 429)',
  },
)

const REPLIES = { 200: { description: "The drawing server's reply" }, '4xx': Refusal, '5xx': Refusal }

function described(summary: string) {
  return { tags: ['relay'], summary, security: [{ apiKey: [] }], response: REPLIES }
}

const PICTURE = {
  tags: ['relay'],
  summary: 'The picture of a drawing. For its owner, or by the signed link in a reply (imageUrl)',
  querystring: Type.Object({ signature: Type.Optional(Type.String({ description: 'part of the signed link' })) }),
  security: [{ apiKey: [] }, { session: [] }, {}],
  response: { 200: { description: 'The bytes' }, '4xx': PictureRefusal, '5xx': PictureRefusal },
}
