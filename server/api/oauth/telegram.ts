import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Identity } from '../../../core/accounts/identities.ts'
import { User } from '../../../core/accounts/schema.ts'
import { GatewayError } from '../../../core/errors.ts'
import { OPTIONS } from '../../../core/options/registry.ts'
import { requireUserPresent } from '../current-password.ts'
import { Done, Envelope } from '../envelope.ts'
import type { ApiParts } from '../parts.ts'
import { describeRoutes } from '../route.ts'
import { requireEnabled, signInBrowser } from './sign-in.ts'
import { telegramId } from './telegram-signature.ts'

const text = Type.Optional(Type.String({ maxLength: 4096 }))
/** Parameters of the login widget. Telegram may sign additional fields. */
const Widget = Type.Object(
  {
    id: text,
    first_name: text,
    last_name: text,
    username: text,
    photo_url: text,
    auth_date: text,
    hash: text,
    lang: text,
  },
  { additionalProperties: true },
)
const Redirect = {
  description: 'Bound. Redirects the browser to the settings',
  headers: { Location: { type: 'string', description: '/setting' } },
  type: 'null',
}

/** Routes for Telegram's login widget, whose parameters are signed with the bot's token. A sign-in creates no user. */
export const telegramRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, { toolkit }) => {
  const anyone = describeRoutes('sign-in', 'anyone')
  function identify({ query }: FastifyRequest): Identity {
    requireEnabled(toolkit, 'telegram', OPTIONS.TelegramOAuthEnabled)
    const botToken = toolkit.options.get(OPTIONS.TelegramBotToken)
    // With an empty token, anyone could create a valid signature.
    if (botToken === '') throw new GatewayError('PROVIDER_DISABLED', { provider: 'Telegram' })
    const now = Math.floor(Date.now() / 1000)
    return { provider: 'telegram', id: telegramId(query as Record<string, unknown>, { botToken, now }) }
  }

  const login = anyone('Signs in the user bound to a Telegram account', {
    querystring: Widget,
    reply: Envelope(User),
    config: { critical: true, acts: true },
  })
  app.get('/api/oauth/telegram/login', login, async (request, reply) =>
    signInBrowser(toolkit, request, reply, identify(request)),
  )

  const bind = {
    tags: ['sign-in'],
    summary: 'Binds a Telegram account to the signed-in user',
    querystring: Widget,
    response: { 200: { description: 'Reason of the failure', ...Done }, 302: Redirect },
  }
  const session = { access: 'session', critical: true, acts: true } as const
  app.get('/api/oauth/telegram/bind', { config: session, schema: bind }, async (request, reply) => {
    await requireUserPresent(toolkit, request)
    await toolkit.identities.bind(request.actor, identify(request))
    return reply.redirect('/setting')
  })
}
