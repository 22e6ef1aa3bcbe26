import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { User } from '../../core/accounts/schema.ts'
import { GatewayError } from '../../core/errors.ts'
import { SESSION_COOKIE } from './access.ts'
import { DEVICE_COOKIE, setDeviceCookie } from './device-cookie.ts'
import { Done, done, Envelope, ok } from './envelope.ts'
import { text } from './fields.ts'
import { originOf } from './invite-origin.ts'
import { clientsOf } from './limits.ts'
import { loginAnswer } from './login-answer.ts'
import type { ApiParts } from './parts.ts'
import { clearSessionCookie, setSessionCookie } from './session-cookie.ts'
import { TurnstileQuery } from './turnstile.ts'

/** Requests for a reset link within an hour, of one address. */
const RESETS_MAX = 10
const CHECKED = { access: 'anyone', critical: true, botCheck: true } as const

/** Registration, sign-in with a password, codes and links by mail. */
export const accountRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, { toolkit, config }) => {
  const { accounts, sessions, registration, passwordReset } = toolkit

  const register = {
    tags: ['account'],
    summary: 'Makes an account; it is not signed in yet',
    querystring: Type.Object(TurnstileQuery),
    body: Type.Object({
      username: text('1 to 12 characters'),
      password: text('8 to 20 characters'),
      password2: Type.Optional(text('the password again')),
      email: Type.Optional(text('needed while e-mail verification is on, else not stored')),
      verification_code: Type.Optional(text('the code that was mailed there')),
      aff_code: Type.Optional(text('invite code of another user')),
    }),
    response: { 200: Done },
  }
  app.post('/api/user/register', { config: CHECKED, schema: register }, async (request, reply) => {
    const { body } = request
    const { password2 = body.password, ...applicant } = body
    if (password2 !== body.password) {
      throw new GatewayError('PASSWORDS_DIFFER')
    }
    await registration.register(applicant, {
      firstToken: config.generateDefaultToken,
      ...(body.aff_code && { origin: originOf(request, reply) }),
    })
    return done
  })

  const login = {
    tags: ['account'],
    summary: 'Signs in by name or mail address, and sets the session cookie',
    querystring: Type.Object(TurnstileQuery),
    body: Type.Object({ username: text(), password: text() }),
    response: { 200: Envelope(User) },
  }
  app.post('/api/user/login', { config: CHECKED, schema: login }, async (request, reply) => {
    const context = { device: request.cookies[DEVICE_COOKIE], isHuman: () => request.isHuman() }
    const { user, passwordHash } = await accounts.login(request.body, context)
    const session = await sessions.rotate(request.cookies[SESSION_COOKIE], user.id, { passwordHash })
    setSessionCookie(request, reply, session)
    setDeviceCookie(toolkit, request, reply, user.id)
    return ok(loginAnswer(user))
  })

  const logout = { tags: ['account'], summary: 'Ends the session', response: { 200: Done } }
  app.get('/api/user/logout', { config: { access: 'anyone', acts: true }, schema: logout }, async (request, reply) => {
    const id = request.cookies[SESSION_COOKIE]
    if (id !== undefined) await sessions.delete(id)
    clearSessionCookie(request, reply)
    return done
  })

  const EmailQuery = Type.Object({ email: Type.Optional(text()), ...TurnstileQuery })
  const verification = {
    tags: ['account'],
    summary: 'Mails a code that proves an address, for registration or binding',
    querystring: EmailQuery,
    response: { 200: Done },
  }
  app.get('/api/verification', { config: { ...CHECKED, acts: true }, schema: verification }, async ({ query }) => {
    await registration.sendCode(query.email ?? '')
    return done
  })

  const resetLink = {
    tags: ['account'],
    summary: 'Mails a link to set a new password',
    querystring: EmailQuery,
    response: { 200: Done },
  }
  app.get('/api/reset_password', { config: { ...CHECKED, acts: true }, schema: resetLink }, async ({ query, ip }) => {
    await passwordReset.sendLink(query.email ?? '', clientsOf(ip, RESETS_MAX))
    return done
  })

  const reset = {
    tags: ['account'],
    summary: 'Uses a mailed link up and answers the new password',
    body: Type.Object({
      email: text(),
      token: text('from the link'),
      revoke_keys: Type.Optional(Type.Boolean({ description: 'delete all API keys, too' })),
    }),
    response: { 200: Envelope(Type.String()) },
  }
  app.post(
    '/api/user/reset',
    { config: { access: 'anyone', critical: true }, schema: reset },
    async (request, reply) => {
      const { userId, password } = await passwordReset.reset(request.body)
      // The reader of the account's mails can sign in here, even if strangers who guess have used up its tries.
      setDeviceCookie(toolkit, request, reply, userId)
      return ok(password)
    },
  )
}
