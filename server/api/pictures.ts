import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { GatewayError } from '../../core/errors.ts'
import { because } from '../../core/messages/reasons.ts'
import { PICTURE_TYPES } from '../relay/delivery/media-types.ts'
import { disconnectSignal } from '../relay/tasks/midjourney/exchange.ts'
import { BusyError, PictureDownloads } from '../relay/tasks/midjourney/picture-downloads.ts'
import { INERT } from '../security-headers.ts'
import type { ApiParts } from './parts.ts'
import { describeRoutes } from './route.ts'

const URL_LENGTH_MAX = 4096
const BUSY_RETRY_S = 5
const FIRST_BYTE_MS = 10_000

/** Fetches third-party pictures for the console, so that their hosts do not see the reader's address. */
export const pictureRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, { links }) => {
  const user = describeRoutes('pictures', 'user')
  const downloads = new PictureDownloads()
  const client = links.guarded()
  const schema = user('The picture at an address of another site, downloaded by the gateway: PNG, JPEG, WebP or GIF', {
    body: Type.Object({ url: Type.String({ minLength: 1, maxLength: URL_LENGTH_MAX }) }),
    reply: {
      description: 'The bytes; JSON for an error',
      content: Object.fromEntries(
        PICTURE_TYPES.map((type) => [type, { schema: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }) }]),
      ),
    },
  })
  app.post('/api/picture', schema, async (request, reply) => {
    const { url } = request.body
    const host = URL.canParse(url) ? new URL(url).host : ''
    const load = (signal: AbortSignal) => client.fetch(url, { signal, firstByteMs: FIRST_BYTE_MS })
    const { data, mime } = await downloads
      .get({ key: url, host, leaving: disconnectSignal(reply) }, load)
      .catch((cause) => {
        if (cause instanceof BusyError) throw new GatewayError('RATE_LIMITED', { retryAfterSeconds: BUSY_RETRY_S })
        throw cause
      })
    if (!PICTURE_TYPES.includes(mime)) throw new GatewayError('MEDIA_REFUSED', because('notPicture'))
    return reply.headers(INERT).type(mime).send(data)
  })
}
