import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { type Actor, asCommonUser } from '../../core/actor.ts'
import { Drawing, Task } from '../../core/tasks/schema.ts'
import { Envelope, ok, PageOf } from './envelope.ts'
import { IdParams, int32Field, PageFields, pagingOf, rangeFields, Text } from './fields.ts'
import type { ApiParts } from './parts.ts'

const commonFields = {
  p: Type.Optional(Type.Integer({ description: 'from 0, ten rows each' })),
  channel_id: int32Field('for administrators'),
}
const DrawingQuery = Type.Object({ ...commonFields, ...rangeFields('milliseconds'), mj_id: Type.Optional(Text) })
const TaskQuery = Type.Object({
  ...commonFields,
  ...rangeFields('seconds'),
  task_id: Type.Optional(Text),
  platform: Type.Optional(Text),
  status: Type.Optional(Text),
  action: Type.Optional(Text),
})

/** Additional query fields of routes that return a page with a total. */
const page = {
  ...PageFields,
  user_id: int32Field('for administrators'),
}
const DrawingPage = Type.Object({
  ...DrawingQuery.properties,
  status: Type.Optional(Text),
  action: Type.Optional(Text),
  ...page,
})
const TaskPage = Type.Object({ ...TaskQuery.properties, ...page })

/** Routes of drawings and music tasks. Users see only their own tasks, administrators see all tasks. */
export const taskRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, { toolkit: { tasks } }) => {
  const [user, admin] = [{ access: 'user' }, { access: 'admin' }] as const
  const tags = ['task']
  const drawings = { tags, querystring: DrawingQuery, response: { 200: Envelope(Type.Array(Drawing)) } }
  const asyncTasks = { tags, querystring: TaskQuery, response: { 200: Envelope(Type.Array(Task)) } }
  /** Converts a page number, because these routes count from 0 and core counts from 1. */
  const fromOne = <T extends { p?: number }>({ p = 0, ...filter }: T) => ({ ...filter, page: p + 1 })

  app.get('/api/mj/', { config: admin, schema: { ...drawings, summary: 'Drawings' } }, async ({ actor, query }) =>
    ok(await tasks.listDrawings(actor, fromOne(query))),
  )
  app.get(
    '/api/mj/self',
    { config: user, schema: { ...drawings, summary: "The user's own drawings" } },
    async ({ actor, query }) => ok(await tasks.listDrawings(asCommonUser(actor), fromOne(query))),
  )
  app.get('/api/task/', { config: admin, schema: { ...asyncTasks, summary: 'Tasks' } }, async ({ actor, query }) =>
    ok(await tasks.listTasks(actor, fromOne(query))),
  )
  app.get(
    '/api/task/self',
    { config: user, schema: { ...asyncTasks, summary: "The user's own tasks" } },
    async ({ actor, query }) => ok(await tasks.listTasks(asCommonUser(actor), fromOne(query))),
  )

  const drawingPage = { tags, querystring: DrawingPage, response: { 200: Envelope(PageOf(Drawing)) } }
  const taskPage = { tags, querystring: TaskPage, response: { 200: Envelope(PageOf(Task)) } }
  const drawing = { tags, params: IdParams, response: { 200: Envelope(Drawing) } }
  const task = { tags, params: IdParams, response: { 200: Envelope(Task) } }
  for (const { below, config, whose, as } of [
    { below: '', config: admin, whose: '', as: (actor: Actor) => actor },
    { below: '/self', config: user, whose: 'own ', as: asCommonUser },
  ]) {
    const summaries = { page: `A page of ${whose}rows, with their total`, get: `One ${whose}row` }
    app.get(
      `/api/mj${below}/page`,
      { config, schema: { ...drawingPage, summary: summaries.page } },
      async ({ actor, query }) => ok(await tasks.pageOfDrawings(as(actor), pagingOf(query))),
    )
    app.get(
      `/api/task${below}/page`,
      { config, schema: { ...taskPage, summary: summaries.page } },
      async ({ actor, query }) => ok(await tasks.pageOfTasks(as(actor), pagingOf(query))),
    )
    app.get(
      `/api/mj${below}/:id`,
      { config, schema: { ...drawing, summary: summaries.get } },
      async ({ actor, params }) => ok(await tasks.getDrawing(as(actor), params.id)),
    )
    app.get(
      `/api/task${below}/:id`,
      { config, schema: { ...task, summary: summaries.get } },
      async ({ actor, params }) => ok(await tasks.getTask(as(actor), params.id)),
    )
  }
}
