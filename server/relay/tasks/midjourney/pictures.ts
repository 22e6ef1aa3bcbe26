import type { FastifyReply } from 'fastify'
import { type Static, Type } from 'typebox'
import { USER_STATUS } from '../../../../core/actor.ts'
import { type AllowedHost, hostOf } from '../../../../core/allowed-hosts.ts'
import type { LiveChannel } from '../../../../core/channels/routing/directory.ts'
import { GatewayError } from '../../../../core/errors.ts'
import type { Picture } from '../../../../core/tasks/drawings.ts'
import type { LocalToolkit } from '../../../../core/toolkit.ts'
import { sessionUser } from '../../../api/access.ts'
import { queryOf } from '../../admission/admission.ts'
import { apiKeyOf } from '../../admission/authenticate.ts'
import { callerOf } from '../submission.ts'
import { type DrawingParts, disconnectSignal } from './exchange.ts'
import { BusyError, PictureDownloads } from './picture-downloads.ts'
import type { DrawingRequest } from './request.ts'

const FIRST_BYTE_MS = 10_000
const BUSY_RETRY_S = 5
const DAY_S = 86_400

/** Creates the object that serves upstreams' images to the owner of a drawing, and to anyone with a signed link. */
export function createPictures({
  toolkit,
  directory,
  links,
  logger,
}: Pick<DrawingParts, 'toolkit' | 'directory' | 'links' | 'logger'>) {
  const downloads = new PictureDownloads()

  async function download({ channel_id, image_url }: Picture, reply: FastifyReply) {
    if (reply.raw.destroyed) throw new Error('No client waits for the picture')
    const host = URL.canParse(image_url) ? new URL(image_url).host : ''
    const downloadRequest = { key: `${channel_id} ${image_url}`, host, leaving: disconnectSignal(reply) }
    return downloads.get(downloadRequest, (signal) => {
      const channel = directory.find(channel_id)
      const options = { proxy: channel?.settings.proxy, signal, firstByteMs: FIRST_BYTE_MS }
      return links.guarded(channel && ownHost(channel, image_url)).fetch(image_url, options)
    })
  }

  return {
    /** Sends an image, or a documented error. Never sends a text of the image's host. */
    async send(request: DrawingRequest, reply: FastifyReply): Promise<FastifyReply> {
      const picture = await toolkit.drawings.findPicture(request.params.id, await permissionOf(toolkit, request))
      if (!picture) return refuse(reply, 400, 'midjourney_task_not_found')
      try {
        const { data, mime } = await download(picture, reply)
        // With `private`, shared caches do not store the image, because only its owner may read it.
        const cache = picture.status === 'SUCCESS' ? `private, max-age=${DAY_S}` : 'no-store'
        return reply.header('cache-control', cache).type(mime).send(data)
      } catch (error) {
        if (error instanceof BusyError) {
          reply.header('retry-after', String(BUSY_RETRY_S))
          return refuse(reply, 503, 'too_many_pictures')
        }
        logger.info({ requestId: request.id, channel: picture.channel_id, err: error }, 'a picture could not be sent')
        const status = error instanceof GatewayError ? Number(error.params.status) : Number.NaN
        // Any status below 400 would look like success.
        if (status >= 400) return refuse(reply, status, `the upstream answered with status ${status}`)
        return refuse(reply, 500, 'http_get_image_failed')
      }
    },
  }
}

/** The format of errors about images. */
export const PictureRefusal = Type.Object({ error: Type.String() }, { description: 'Reason of the error' })

function refuse(reply: FastifyReply, status: number, error: string): FastifyReply {
  return reply.code(status).send({ error } satisfies Static<typeof PictureRefusal>)
}

/** Returns the host of the channel's address, if the image is on it. This host is allowed even if it is private. */
function ownHost({ baseUrl }: LiveChannel, address: string): AllowedHost | undefined {
  if (!URL.canParse(baseUrl) || !URL.canParse(address)) return undefined
  const [base, picture] = [new URL(baseUrl), new URL(address)]
  if (base.host !== picture.host || base.protocol !== picture.protocol) return undefined
  const port = Number(base.port) || (base.protocol === 'https:' ? 443 : 80)
  return { kind: 'host', host: hostOf(base), port }
}

/**
 * Returns a function that decides whether a request may read the images of a user. A signed link permits the images of
 * the user in its signature. A key or a session permits the images of its own user. Throws TOKEN_* and USER_DISABLED
 * for an invalid key.
 */
async function permissionOf(toolkit: LocalToolkit, request: DrawingRequest): Promise<(userId: number) => boolean> {
  const { signature } = request.query as { signature?: unknown }
  const mj_id = request.params.id
  if (typeof signature === 'string') return (user_id) => toolkit.pictureLinks.isSigned({ user_id, mj_id }, signature)
  const ownerId = await ownerOf(toolkit, request)
  return (userId) => userId === ownerId
}

async function ownerOf(toolkit: LocalToolkit, request: DrawingRequest): Promise<number | undefined> {
  if (apiKeyOf(request.headers, queryOf(request)) !== '') {
    const { user } = await callerOf(toolkit, request, { free: true })
    return user.id
  }
  const user = await sessionUser(toolkit, request)
  return user?.status === USER_STATUS.enabled ? user.id : undefined
}
