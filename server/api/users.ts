import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { USER_SORTS } from '../../core/accounts/accounts.ts'
import { ACTIONS } from '../../core/accounts/actions.ts'
import { User } from '../../core/accounts/schema.ts'
import { QUOTA_MAX } from '../../core/input.ts'
import { requirePasswordProof } from './current-password.ts'
import { Done, done, Envelope, ok, PageOf } from './envelope.ts'
import { AnswerMode, pagingOf, sortQueryFields, textSchema } from './fields.ts'
import { idempotencyHeader, idempotencyOf } from './idempotency.ts'
import { loginAnswer } from './login-answer.ts'
import type { ApiParts } from './parts.ts'
import { describeRoutes } from './route.ts'
import { renewSession } from './session-cookie.ts'

const INT4 = { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 }
const Id = Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 })
const Paging = { p: Type.Optional(Type.Integer()), page_size: Type.Optional(Type.Integer()) }

export const usersRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, { toolkit }) => {
  const admin = describeRoutes('users', 'admin')
  const { accounts } = toolkit

  const list = admin('All users, newest first; deleted users have DeletedAt', {
    querystring: Type.Object({ ...Paging, ...sortQueryFields(USER_SORTS) }),
    reply: Envelope(PageOf(User)),
  })
  app.get('/api/user/', list, async ({ actor, query }) => ok(await accounts.list(actor, pagingOf(query))))

  const search = admin('Users by part of name, display name or email address, or by id, and by group', {
    querystring: Type.Object({
      ...Paging,
      ...sortQueryFields(USER_SORTS),
      keyword: Type.Optional(textSchema()),
      group: Type.Optional(textSchema()),
      role: Type.Optional(Type.Integer({ ...INT4, description: '1, 10 or 100' })),
      status: Type.Optional(Type.Integer({ ...INT4, description: '1 enabled, 2 disabled; deleted users have none' })),
      deleted: Type.Optional(Type.Boolean({ description: 'true: only deleted users; false: only others' })),
    }),
    reply: Envelope(PageOf(User)),
  })
  app.get('/api/user/search', search, async ({ actor, query }) => ok(await accounts.list(actor, pagingOf(query))))

  const named = admin('The user with exactly this name', {
    querystring: Type.Object({ username: textSchema() }),
    reply: Envelope(User),
  })
  app.get('/api/user/by-name', named, async ({ actor, query }) => ok(await accounts.getByName(actor, query.username)))

  const params = Type.Object({ id: Id })
  const read = admin('One user of a lower level', { params, reply: Envelope(User) })
  app.get('/api/user/:id', read, async ({ actor, params: { id } }) => ok(await accounts.read(actor, id)))

  const create = admin('Creates a common user; with answer=record, a user with the given role', {
    querystring: Type.Object({
      ...AnswerMode,
      quota: Type.Optional(Type.Integer({ description: 'with answer=record: the initial balance' })),
      group: Type.Optional(textSchema('with answer=record')),
    }),
    body: Type.Object({
      username: textSchema('1 to 12 characters'),
      password: textSchema('8 to 20 characters'),
      display_name: Type.Optional(textSchema('up to 20 characters; if empty, the user name')),
      role: Type.Optional(
        Type.Integer({ ...INT4, description: 'must be below your own; ignored without answer=record' }),
      ),
    }),
    reply: Envelope(User),
  })
  app.post('/api/user/', create, async ({ actor, query, body }) => {
    const { answer, ...extras } = query
    if (answer) return ok(await accounts.create(actor, { ...body, ...extras }))
    await accounts.createCommon(actor, body)
    return done
  })

  const update = admin('Changes a user of a lower level; absent fields are kept', {
    body: Type.Object({
      id: Id,
      username: Type.Optional(textSchema('1 to 12 characters')),
      display_name: Type.Optional(textSchema('up to 20 characters')),
      group: Type.Optional(textSchema()),
      quota: Type.Optional(Type.Integer({ minimum: -QUOTA_MAX, maximum: QUOTA_MAX, description: 'the new balance' })),
      debt_limit: Type.Optional(
        Type.Integer({ minimum: 0, maximum: QUOTA_MAX, description: 'how far below zero the balance may go' }),
      ),
      password: Type.Optional(textSchema('empty: unchanged')),
      current_password: Type.Optional(textSchema('your current password, to change the password of your own account')),
      revoke_keys: Type.Optional(Type.Boolean({ description: "with a new password: also delete the user's API keys" })),
      role: Type.Optional(Type.Integer({ ...INT4, description: 'must be below your own; not changed by this call' })),
    }),
    reply: Done,
  })
  app.put('/api/user/', update, async (request, reply) => {
    const { actor, body } = request
    const { current_password: current, ...changes } = body
    const isOwnPassword = Boolean(body.password) && body.id === actor.id
    const proof = isOwnPassword ? await requirePasswordProof(toolkit, request, current) : {}
    const passwordHash = await accounts.update(actor, changes, proof)
    if (passwordHash !== undefined && body.id === actor.id) await renewSession(toolkit, request, reply, passwordHash)
    return done
  })

  const manage = admin('Enables, disables, deletes, promotes or demotes a user', {
    querystring: Type.Object(AnswerMode),
    body: Type.Object({ id: Id, action: textSchema(ACTIONS.join(', ')) }),
    reply: Envelope(User),
  })
  app.post('/api/user/manage', manage, async ({ actor, query, body }) => {
    const managed = await accounts.manage(actor, body.id, body.action)
    return ok(query.answer ? managed : manageAnswer(managed))
  })

  const adjust = admin("Adds to or subtracts from a user's balance; with an Idempotency-Key only once", {
    params,
    headers: idempotencyHeader('returns the current user and changes nothing'),
    body: Type.Object({
      by: Type.Integer({ minimum: -QUOTA_MAX, maximum: QUOTA_MAX, description: 'quota; negative: to subtract' }),
    }),
    reply: Envelope(User),
  })
  app.post('/api/user/:id/quota', adjust, async ({ actor, params: { id }, headers, body }) =>
    ok(await accounts.adjustQuota(actor, id, body.by, idempotencyOf(headers))),
  )

  const remove = admin('Deletes a user permanently', { params, reply: Done })
  app.delete('/api/user/:id', remove, async ({ actor, params: { id } }) => {
    await accounts.delete(actor, id)
    return done
  })
}

/** Returns the documented reply: a user object with empty fields, except role and status. */
function manageAnswer(user: User): User {
  return { ...loginAnswer(user), id: 0, username: '', display_name: '', group: '', DeletedAt: null }
}
