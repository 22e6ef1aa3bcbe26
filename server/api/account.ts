import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { User } from '../../core/accounts/schema.ts'
import { GatewayError } from '../../core/errors.ts'
import { OPTIONS } from '../../core/options/registry.ts'
import { SESSION_COOKIE } from './access.ts'
import { DEVICE_COOKIE, setDeviceCookie, signInOrigin } from './device-cookie.ts'
import { apiLanguageOf, Done, done, Envelope, ok, requestedLanguage } from './envelope.ts'
import { textSchema } from './fields.ts'
import { originOf } from './invite-origin.ts'
import { countKeysOf } from './limits.ts'
import { loginAnswer } from './login-answer.ts'
import type { ApiParts } from './parts.ts'
import { describeRoutes } from './route.ts'
import { clearSessionCookie, setSessionCookie } from './session-cookie.ts'
import { TurnstileQuery } from './turnstile.ts'

/** Maximum number of password-reset links per hour and client address. */
const RESETS_MAX = 10

export const accountRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, { toolkit, config }) => {
  const anyone = describeRoutes('account', 'anyone')
  const { accounts, sessions, registration, passwordReset, options } = toolkit

  async function signIn(
    request: FastifyRequest,
    reply: FastifyReply,
    { username, password }: { username: string; password: string },
  ): Promise<User> {
    const context = { device: request.cookies[DEVICE_COOKIE], isHuman: () => request.isHuman() }
    const { user, passwordHash } = await accounts.login({ username, password }, context)
    const origin = signInOrigin(toolkit, request, user.id)
    const signInContext = { passwordHash, origin, language: requestedLanguage(request) }
    const session = await sessions.rotate(request.cookies[SESSION_COOKIE], user.id, signInContext)
    setSessionCookie(request, reply, session)
    setDeviceCookie(toolkit, request, reply, user.id)
    return loginAnswer(user)
  }

  const register = anyone('Creates an account; signs in only on request', {
    querystring: Type.Object({
      ...TurnstileQuery,
      answer: Type.Optional(
        Type.Literal('session', {
          description: 'also sign in, if sign-in by password is enabled; the reply is that of a login',
        }),
      ),
    }),
    body: Type.Object({
      username: textSchema('1 to 12 characters'),
      password: textSchema('8 to 20 characters'),
      password2: Type.Optional(textSchema('the password again')),
      email: Type.Optional(textSchema('required if email verification is on; otherwise not stored')),
      verification_code: Type.Optional(textSchema('the code from the verification email')),
      aff_code: Type.Optional(textSchema('invite code of another user')),
    }),
    reply: Envelope(User),
    config: { critical: true, botCheck: true },
  })
  app.post('/api/user/register', register, async (request, reply) => {
    const { body } = request
    const { password2 = body.password, ...applicant } = body
    if (password2 !== body.password) {
      throw new GatewayError('PASSWORDS_DIFFER')
    }
    await registration.register(applicant, {
      firstToken: config.generateDefaultToken,
      language: requestedLanguage(request),
      ...(body.aff_code && { origin: originOf(request, reply) }),
    })
    if (request.query.answer !== 'session' || !options.get(OPTIONS.PasswordLoginEnabled)) return done
    // Registration has stored the trimmed name.
    return ok(await signIn(request, reply, { username: body.username.trim(), password: body.password }))
  })

  const login = anyone('Signs in by name or email address, and sets the session cookie', {
    querystring: Type.Object(TurnstileQuery),
    body: Type.Object({ username: textSchema(), password: textSchema() }),
    reply: Envelope(User),
    config: { critical: true, botCheck: true },
  })
  app.post('/api/user/login', login, async (request, reply) => {
    return ok(await signIn(request, reply, request.body))
  })

  const logout = anyone('Ends the session', { reply: Done, config: { acts: true } })
  app.get('/api/user/logout', logout, async (request, reply) => {
    const id = request.cookies[SESSION_COOKIE]
    if (id !== undefined) await sessions.delete(id)
    clearSessionCookie(request, reply)
    return done
  })

  const EmailQuery = Type.Object({ email: Type.Optional(textSchema()), ...TurnstileQuery })
  const verification = anyone('Emails a code to verify an address, for registration or binding', {
    querystring: EmailQuery,
    reply: Done,
    config: { critical: true, botCheck: true, acts: true },
  })
  app.get('/api/verification', verification, async (request) => {
    await registration.sendCode(request.query.email ?? '', apiLanguageOf(request))
    return done
  })

  const resetLink = anyone('Mails a link to set a new password', {
    querystring: EmailQuery,
    reply: Done,
    config: { critical: true, botCheck: true, acts: true },
  })
  app.get('/api/reset_password', resetLink, async (request) => {
    const clients = countKeysOf(request.ip, RESETS_MAX)
    await passwordReset.sendLink(request.query.email ?? '', { language: apiLanguageOf(request), clients })
    return done
  })

  const reset = anyone('Redeems a mailed link and returns the new password', {
    body: Type.Object({
      email: textSchema(),
      token: textSchema('from the link'),
      revoke_keys: Type.Optional(Type.Boolean({ description: 'also delete all API keys' })),
    }),
    reply: Envelope(Type.String()),
    config: { critical: true },
  })
  app.post('/api/user/reset', reset, async (request, reply) => {
    const { userId, password } = await passwordReset.reset(request.body)
    // The device cookie lets the owner of the mailbox sign in, even if others have used up the account's sign-in
    // attempts.
    setDeviceCookie(toolkit, request, reply, userId)
    return ok(password)
  })
}
