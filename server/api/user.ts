import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { User } from '../../core/accounts/schema.ts'
import { GatewayError } from '../../core/errors.ts'
import { SESSION_SECONDS } from '../../core/sessions/sessions.ts'
import { done, Envelope, ok } from './envelope.ts'
import type { ApiParts } from './parts.ts'
import { SESSION_COOKIE, signedIn } from './signed-in.ts'

/** The documented login answer: a user object in which only who they are is filled. */
const BLANK = {
  email: '',
  github_id: '',
  wechat_id: '',
  telegram_id: '',
  linux_do_id: '',
  quota: 0,
  used_quota: 0,
  request_count: 0,
  aff_code: '',
  aff_count: 0,
  aff_quota: 0,
  aff_history_quota: 0,
  inviter_id: 0,
}

export const userRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, { toolkit }) => {
  const { accounts, sessions } = toolkit
  const cookie = (secure: boolean) => ({ path: '/', httpOnly: true, sameSite: 'strict' as const, secure })

  const login = {
    tags: ['user'],
    body: Type.Object({ username: Type.String(), password: Type.String() }),
    response: { 200: Envelope(User) },
  }
  app.post('/api/user/login', { schema: login }, async (request, reply) => {
    const { username, password } = request.body
    if (username === '' || password === '')
      throw new GatewayError('FIELD_REQUIRED', { field: username ? 'password' : 'username' })
    const user = await accounts.login({ username, password })
    const before = request.cookies[SESSION_COOKIE]
    if (before !== undefined) await sessions.delete(before)
    const id = await sessions.create(user.id)
    reply.setCookie(SESSION_COOKIE, id, { ...cookie(request.protocol === 'https'), maxAge: SESSION_SECONDS })
    return ok({ ...user, ...BLANK })
  })

  app.get(
    '/api/user/logout',
    { schema: { tags: ['user'], response: { 200: Envelope(Type.Null()) } } },
    async (request, reply) => {
      const id = request.cookies[SESSION_COOKIE]
      if (id !== undefined) await sessions.delete(id)
      reply.clearCookie(SESSION_COOKIE, cookie(request.protocol === 'https'))
      return done
    },
  )

  const self = { schema: { tags: ['user'], response: { 200: Envelope(User) } }, preHandler: signedIn(toolkit) }
  app.get('/api/user/self', self, async ({ actor }) => ok(await accounts.get(actor, actor.id)))
}
