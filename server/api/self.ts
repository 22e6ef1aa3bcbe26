import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { User } from '../../core/accounts/schema.ts'
import { Done, done, Envelope, languageOf, ok } from './envelope.ts'
import { QUOTA, text } from './fields.ts'
import { idempotencyHeader, idempotencyOf } from './idempotency.ts'
import type { ApiParts } from './parts.ts'
import { renewSession } from './renew-session.ts'

const USER = { access: 'user' } as const
const Identity = Type.Object({ id: Type.Integer(), username: Type.String(), role: Type.Integer() })

/** What a user may do with the own account. */
export const selfRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, { toolkit }) => {
  const { profile, accessTokens } = toolkit

  const self = { tags: ['self'], summary: 'Your account', response: { 200: Envelope(User) } }
  app.get('/api/user/self', { config: USER, schema: self }, async ({ actor }) => ok(await profile.get(actor)))

  const identity = {
    tags: ['self'],
    summary: 'Whose access token this is; for programs that do not know their user id yet',
    response: { 200: Envelope(Identity) },
  }
  app.get('/api/user/identity', { config: { access: 'bearer' }, schema: identity }, async ({ actor }) => {
    const { id, username, role } = await profile.get(actor)
    return ok({ id, username, role })
  })

  const update = {
    tags: ['self'],
    summary: 'Changes what is not empty; a new password ends all other sessions',
    body: Type.Object({
      username: Type.Optional(text('1 to 12 characters')),
      display_name: Type.Optional(text('up to 20 characters')),
      password: Type.Optional(text('8 to 20 characters')),
    }),
    response: { 200: Done },
  }
  app.put('/api/user/self', { config: USER, schema: update }, async (request, reply) => {
    const passwordHash = await profile.update(request.actor, request.body)
    if (passwordHash !== undefined) await renewSession(toolkit, request, reply, passwordHash)
    return done
  })

  const remove = { tags: ['self'], summary: 'Deletes your account', response: { 200: Done } }
  app.delete('/api/user/self', { config: USER, schema: remove }, async ({ actor }) => {
    await profile.delete(actor)
    return done
  })

  const token = {
    tags: ['self'],
    summary: 'Makes a new system access token; the one before is void',
    response: { 200: Envelope(Type.String()) },
  }
  app.get('/api/user/token', { config: USER, schema: token }, async ({ actor }) => ok(await accessTokens.create(actor)))

  const aff = { tags: ['self'], summary: 'Your invite code', response: { 200: Envelope(Type.String()) } }
  app.get('/api/user/aff', { config: USER, schema: aff }, async ({ actor }) => ok(await profile.inviteCode(actor)))

  const transfer = {
    tags: ['self'],
    summary: 'Moves invite earnings to the balance; with an Idempotency-Key once, however often it is asked',
    headers: idempotencyHeader('moves nothing'),
    body: Type.Object({ quota: QUOTA }),
    response: { 200: Done },
  }
  app.post('/api/user/aff_transfer', { config: USER, schema: transfer }, async (request) => {
    await profile.transferInvites(request.actor, request.body.quota, idempotencyOf(request.headers))
    // The web client shows this text.
    const message = languageOf(request) === 'zh' ? '划转成功' : 'Transferred'
    return { success: true, message }
  })

  const bind = {
    tags: ['self'],
    summary: 'Stores a mail address that a mailed code proves',
    querystring: Type.Object({ email: Type.Optional(text()), code: Type.Optional(text()) }),
    response: { 200: Done },
  }
  app.get(
    '/api/oauth/email/bind',
    { config: { access: 'session', critical: true, acts: true }, schema: bind },
    async ({ actor, query: { email = '', code = '' } }) => {
      await profile.bindEmail(actor, { email, code })
      return done
    },
  )

  const email = {
    tags: ['self'],
    summary: 'The same for programs: stores a mail address that a mailed code proves',
    body: Type.Object({ email: text(), code: text('of GET /api/verification') }),
    response: { 200: Done },
  }
  app.put('/api/user/self/email', { config: { access: 'user', critical: true }, schema: email }, async (request) => {
    await profile.bindEmail(request.actor, request.body)
    return done
  })
}
