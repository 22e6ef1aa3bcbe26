import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Identity } from '../../../core/accounts/identities.ts'
import { User } from '../../../core/accounts/schema.ts'
import { GatewayError } from '../../../core/errors.ts'
import type { Options } from '../../../core/options/options.ts'
import { OPTIONS } from '../../../core/options/registry.ts'
import { requireUserPresent } from '../current-password.ts'
import { Done, done, Envelope } from '../envelope.ts'
import type { ApiParts } from '../parts.ts'
import { describeRoutes } from '../route.ts'
import { callIdentityProvider, providerRefusal, sanitizeReason, textOrNone, unusableReplyError } from './ask.ts'
import { requireCode, requireEnabled, signInBrowser } from './sign-in.ts'

const Code = Type.Object({ code: Type.Optional(Type.String({ maxLength: 256 })) })

/** Routes to sign in with a code from a WeChat account. A helper server of the operator runs that account. */
export const wechatRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, { toolkit }) => {
  const anyone = describeRoutes('sign-in', 'anyone')
  const session = describeRoutes('sign-in', 'session')
  const { identities, options } = toolkit

  async function identify(code = ''): Promise<Identity> {
    requireEnabled(toolkit, 'wechat', OPTIONS.WeChatAuthEnabled)
    requireCode(code)
    return identityOf(options, code)
  }

  const login = anyone('Signs in with a code from the WeChat account', {
    querystring: Code,
    reply: Envelope(User),
    config: { critical: true, acts: true },
  })
  app.get('/api/oauth/wechat', login, async (request, reply) =>
    signInBrowser(toolkit, request, reply, await identify(request.query.code)),
  )

  const bind = session('Binds a WeChat account to the signed-in user', {
    querystring: Code,
    reply: Done,
    config: { critical: true, acts: true },
  })
  app.get('/api/oauth/wechat/bind', bind, async (request) => {
    await requireUserPresent(toolkit, request)
    await identities.bind(request.actor, await identify(request.query.code))
    return done
  })
}

async function identityOf(options: Options, code: string): Promise<Identity> {
  const token = options.get(OPTIONS.WeChatServerToken)
  const address = options.get(OPTIONS.WeChatServerAddress)
  const hide = [token, code]
  const answer = await callIdentityProvider('wechat', `${address}/api/wechat/user?code=${encodeURIComponent(code)}`, {
    headers: { authorization: token },
    hide,
  })
  if (answer.success === false) {
    const reason = sanitizeReason(textOrNone(answer.message) ?? '', hide)
    throw reason ? providerRefusal('wechat', reason) : new GatewayError('CODE_WRONG')
  }
  if (answer.success !== true) throw unusableReplyError('wechat', 'neither success nor failure')
  // The helper returns empty data for an unknown code.
  if (answer.data === '' || answer.data === null || answer.data === undefined) throw new GatewayError('CODE_WRONG')
  const id = textOrNone(answer.data)
  if (id === undefined) throw unusableReplyError('wechat', 'an id that is no text')
  return { provider: 'wechat', id }
}
