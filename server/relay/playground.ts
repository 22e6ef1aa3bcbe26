import fastifyCookie from '@fastify/cookie'
import type { FastifyError, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { type Actor, ROLE } from '../../core/actor.ts'
import { GatewayError } from '../../core/errors.ts'
import { mayUseGroup } from '../../core/groups/groups.ts'
import type { LiveUser } from '../../core/tokens/directory.ts'
import { NEVER, TOKEN_STATUS } from '../../core/tokens/token.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'
import { identifyActor } from '../api/access.ts'
import { rejectForeignPage } from '../api/cross-site.ts'
import { answerError, Done } from '../api/envelope.ts'
import { parseBody } from './admission/admission.ts'
import type { Caller } from './admission/authenticate.ts'
import { takeFromFastify } from './admission/relay-request.ts'
import { countKeys } from './admission/repeated-key.ts'
import { rejectUnpaidLargeBody } from './admission/senders.ts'
import { relayRouteSchema } from './described.ts'
import type { Relays } from './relays.ts'

/**
 * Routes for chats of the signed-in user, who pays without an API key. The body is a chat request with an additional
 * field `group`: the group that serves the chat. The console sends `max_tokens: 0` for no limit.
 */
export const playgroundRoutes: FastifyPluginAsync<{ relays: Relays; toolkit: LocalToolkit }> = async (
  app,
  { relays, toolkit },
) => {
  await app.register(fastifyCookie)
  const commonSchema = relayRouteSchema('Chat as the signed-in user, charged to their balance', {
    security: [{ session: [], user: [] }],
  })
  const schema = { ...commonSchema, response: { ...commonSchema.response, 401: Done } }
  const byAccessToken = {
    ...schema,
    summary: 'Chat as the signed-in user from a terminal, with an access token',
    security: [
      { session: [], user: [] },
      { accessToken: [], user: [] },
    ],
  }
  // If authentication fails, the reply has the management API's format, because the console handles it.
  app.addHook('onRequest', async (request, reply) => {
    rejectForeignPage(request, toolkit.options)
    try {
      request.actor = await identifyActor(toolkit, request, ROLE.common)
    } catch (error) {
      return answerError(error as FastifyError, request, reply)
    }
    const user = await userOf(request.actor)
    await rejectUnpaidLargeBody(toolkit, request, { user, token: playgroundToken(user, user.group) })
  })
  app.post('/pg/chat/completions', { schema }, async (request, reply) => {
    if (request.signedInBy === 'access-token') throw new GatewayError('ACCESS_TOKEN_UNSUPPORTED')
    await chatAs(request.actor, request, reply)
  })
  // The documented path is only for browsers. This path also accepts access tokens. They gain no rights by this path,
  // because they can already create API keys.
  app.post('/pg/terminal/chat/completions', { schema: byAccessToken }, async (request, reply) =>
    chatAs(request.actor, request, reply),
  )

  async function userOf({ id }: Actor): Promise<LiveUser> {
    const user = await toolkit.callers.findUser(id)
    if (!user) throw new GatewayError('USER_NOT_FOUND', { id })
    return user
  }

  async function chatAs(actor: Actor, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { group: bodyGroup, ...chat } = parseBody(request.body as Buffer | undefined)
    const user = await userOf(actor)
    const group = typeof bodyGroup === 'string' && bodyGroup !== '' ? bodyGroup : user.group
    if (!mayUseGroup(toolkit.options, { userGroup: user.group, requestedGroup: group }))
      throw new GatewayError('GROUP_NOT_ALLOWED', { group })
    if (chat.max_tokens === 0) delete chat.max_tokens
    request.body = Buffer.from(JSON.stringify(chat))
    request.bodyKeys = countKeys(chat)
    relays.handle({ operation: 'chat', dialect: 'openai-chat' }, takeFromFastify(request, reply), reply.raw, {
      user,
      token: playgroundToken(user, group),
      pinnedChannelId: 0,
    })
  }
}

/** Returns a token for requests without an API key: with the id 0 and without a budget of its own. */
function playgroundToken(user: Caller['user'], group: string): Caller['token'] {
  return {
    id: 0,
    userId: user.id,
    memberId: 0,
    name: `playground-${group}`,
    status: TOKEN_STATUS.enabled,
    expiredTime: NEVER,
    unlimited: true,
    models: undefined,
    addresses: [],
    group: group === user.group ? '' : group,
    storesResponses: false,
  }
}
