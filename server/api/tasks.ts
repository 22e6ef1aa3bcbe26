import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { type Actor, asCommonUser } from '../../core/actor.ts'
import { Drawing, Task } from '../../core/tasks/schema.ts'
import { Envelope, ok, PageOf } from './envelope.ts'
import { IdParams, int32Field, PageFields, pagingOf, rangeFields, Text } from './fields.ts'
import type { ApiParts } from './parts.ts'
import { describeRoutes } from './route.ts'

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
  const user = describeRoutes('task', 'user')
  const admin = describeRoutes('task', 'admin')
  const drawings = { querystring: DrawingQuery, reply: Envelope(Type.Array(Drawing)) }
  const asyncTasks = { querystring: TaskQuery, reply: Envelope(Type.Array(Task)) }
  /** Converts a page number, because these routes count from 0 and core counts from 1. */
  const fromOne = <T extends { p?: number }>({ p = 0, ...filter }: T) => ({ ...filter, page: p + 1 })

  app.get('/api/mj/', admin('Drawings', drawings), async ({ actor, query }) =>
    ok(await tasks.listDrawings(actor, fromOne(query))),
  )
  app.get('/api/mj/self', user("The user's own drawings", drawings), async ({ actor, query }) =>
    ok(await tasks.listDrawings(asCommonUser(actor), fromOne(query))),
  )
  app.get('/api/task/', admin('Tasks', asyncTasks), async ({ actor, query }) =>
    ok(await tasks.listTasks(actor, fromOne(query))),
  )
  app.get('/api/task/self', user("The user's own tasks", asyncTasks), async ({ actor, query }) =>
    ok(await tasks.listTasks(asCommonUser(actor), fromOne(query))),
  )

  const drawingPage = { querystring: DrawingPage, reply: Envelope(PageOf(Drawing)) }
  const taskPage = { querystring: TaskPage, reply: Envelope(PageOf(Task)) }
  const drawing = { params: IdParams, reply: Envelope(Drawing) }
  const task = { params: IdParams, reply: Envelope(Task) }
  for (const { below, describe, whose, as } of [
    { below: '', describe: admin, whose: '', as: (actor: Actor) => actor },
    { below: '/self', describe: user, whose: 'own ', as: asCommonUser },
  ]) {
    const summaries = { page: `A page of ${whose}rows, with their total`, get: `One ${whose}row` }
    app.get(`/api/mj${below}/page`, describe(summaries.page, drawingPage), async ({ actor, query }) =>
      ok(await tasks.pageOfDrawings(as(actor), pagingOf(query))),
    )
    app.get(`/api/task${below}/page`, describe(summaries.page, taskPage), async ({ actor, query }) =>
      ok(await tasks.pageOfTasks(as(actor), pagingOf(query))),
    )
    app.get(`/api/mj${below}/:id`, describe(summaries.get, drawing), async ({ actor, params }) =>
      ok(await tasks.getDrawing(as(actor), params.id)),
    )
    app.get(`/api/task${below}/:id`, describe(summaries.get, task), async ({ actor, params }) =>
      ok(await tasks.getTask(as(actor), params.id)),
    )
  }
}
