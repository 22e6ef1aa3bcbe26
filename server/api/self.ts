import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { User } from '../../core/accounts/schema.ts'
import { namedLanguage } from '../../core/messages/language.ts'
import { textIn } from '../../core/messages/texts.ts'
import { SESSION_COOKIE } from './access.ts'
import { requirePasswordProof, requireUserPresent } from './current-password.ts'
import { apiLanguageOf, Done, done, Envelope, ok } from './envelope.ts'
import { QUOTA_SCHEMA, textSchema } from './fields.ts'
import { idempotencyHeader, idempotencyOf } from './idempotency.ts'
import type { ApiParts } from './parts.ts'
import { describeRoutes } from './route.ts'
import { renewSession } from './session-cookie.ts'

const CURRENT_PASSWORD = {
  current_password: Type.Optional(textSchema('required if the sign-in is older than ten minutes')),
}
const Identity = Type.Object({ id: Type.Integer(), username: Type.String(), role: Type.Integer() })

export const selfRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, { toolkit }) => {
  const user = describeRoutes('self', 'user')
  const bearer = describeRoutes('self', 'bearer')
  const session = describeRoutes('self', 'session')

  const { profile, accessTokens, accounts, sessions } = toolkit

  const self = user('Your account', { reply: Envelope(User) })
  app.get('/api/user/self', self, async ({ actor }) => ok(await profile.get(actor)))

  const identity = bearer('The user of an access token; for programs that do not know their user id yet', {
    reply: Envelope(Identity),
  })
  app.get('/api/user/identity', identity, async ({ actor }) => {
    const { id, username, role } = await profile.get(actor)
    return ok({ id, username, role })
  })

  const update = user(
    'Changes the fields that are not empty; a new password ends all other sessions, revokes the access token, and requires the current password',
    {
      body: Type.Object({
        username: Type.Optional(textSchema('1 to 12 characters')),
        display_name: Type.Optional(textSchema('up to 20 characters')),
        language: Type.Optional(
          textSchema(
            'language of mails to you: zh, en, or a locale such as zh-CN; other values are ignored. A sign-in sets it from Accept-Language',
          ),
        ),
        password: Type.Optional(
          textSchema('8 to 20 characters, or up to the option PasswordLengthMax; an access token cannot set it'),
        ),
        ...CURRENT_PASSWORD,
        revoke_keys: Type.Optional(Type.Boolean({ description: 'with a new password: also delete all API keys' })),
      }),
      reply: Done,
    },
  )
  app.put('/api/user/self', update, async (request, reply) => {
    const { current_password: current, language: languageName, ...changes } = request.body
    const language = namedLanguage(languageName)
    const proof = changes.password ? await requirePasswordProof(toolkit, request, current) : {}
    const passwordHash = await profile.update(request.actor, { ...changes, ...(language && { language }) }, proof)
    if (passwordHash !== undefined) await renewSession(toolkit, request, reply, passwordHash)
    return done
  })

  const confirm = session(
    'Confirms the current password. For ten minutes, this session may change credentials, as after a sign-in',
    { body: Type.Object({ password: textSchema('the current password') }), reply: Done, config: { critical: true } },
  )
  app.post('/api/user/self/confirm', confirm, async ({ actor, body, cookies }) => {
    await accounts.confirmPassword(actor, body.password)
    await sessions.confirm(cookies[SESSION_COOKIE] ?? '')
    return done
  })

  const remove = user('Deletes your account', { reply: Done })
  app.delete('/api/user/self', remove, async ({ actor }) => {
    await profile.delete(actor)
    return done
  })

  const token = user(
    'Creates a system access token and revokes the previous one. A session requires a sign-in within the last ten minutes',
    { reply: Envelope(Type.String()), config: { acts: true } },
  )
  app.get('/api/user/token', token, async (request) => {
    // Access tokens need no recent sign-in, because the new token of a script has the rights of its old token.
    if (request.signedInBy === 'session') await requireUserPresent(toolkit, request)
    return ok(await accessTokens.create(request.actor))
  })

  const aff = user('Your invite code', { reply: Envelope(Type.String()) })
  app.get('/api/user/aff', aff, async ({ actor }) => ok(await profile.inviteCode(actor)))

  const transfer = user('Transfers invite earnings to the balance; with an Idempotency-Key only once', {
    headers: idempotencyHeader('transfers nothing'),
    body: Type.Object({ quota: QUOTA_SCHEMA }),
    reply: Done,
  })
  app.post('/api/user/aff_transfer', transfer, async (request) => {
    await profile.transferInvites(request.actor, request.body.quota, idempotencyOf(request.headers))
    // The web client shows this text.
    const message = textIn(apiLanguageOf(request), 'reply.transferred')
    return { success: true, message }
  })

  const bind = session(
    'Stores an email address verified by a mailed code; requires a sign-in within the last ten minutes',
    {
      querystring: Type.Object({ email: Type.Optional(textSchema()), code: Type.Optional(textSchema()) }),
      reply: Done,
      config: { critical: true, acts: true },
    },
  )
  app.get('/api/oauth/email/bind', bind, async (request) => {
    const { email = '', code = '' } = request.query
    await requireUserPresent(toolkit, request)
    await profile.bindEmail(request.actor, { email, code })
    return done
  })

  const email = user(
    'Stores an email address verified by a mailed code. For programs, which send the current password',
    {
      body: Type.Object({ email: textSchema(), code: textSchema('of GET /api/verification'), ...CURRENT_PASSWORD }),
      reply: Done,
      config: { critical: true },
    },
  )
  app.put('/api/user/self/email', email, async (request) => {
    const { current_password: current, ...proof } = request.body
    await requireUserPresent(toolkit, request, current)
    await profile.bindEmail(request.actor, proof)
    return done
  })
}
