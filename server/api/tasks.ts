import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { asCommonUser } from '../../core/actor.ts'
import { Drawing, Task } from '../../core/tasks/schema.ts'
import { Envelope, ok } from './envelope.ts'
import { ID_MAX, Text } from './fields.ts'
import type { ApiParts } from './parts.ts'

const query = (unit: string) => ({
  p: Type.Optional(Type.Integer({ description: 'from 0, ten rows each' })),
  channel_id: Type.Optional(Type.Integer({ minimum: 0, maximum: ID_MAX, description: 'for administrators' })),
  start_timestamp: Type.Optional(Type.Integer({ description: `unix ${unit}, inclusive; 0 is open` })),
  end_timestamp: Type.Optional(Type.Integer({ description: `unix ${unit}, inclusive; 0 is open` })),
})
const DrawingQuery = Type.Object({ ...query('milliseconds'), mj_id: Type.Optional(Text) })
const TaskQuery = Type.Object({
  ...query('seconds'),
  task_id: Type.Optional(Text),
  platform: Type.Optional(Text),
  status: Type.Optional(Text),
  action: Type.Optional(Text),
})

/** Drawings and async tasks: the own ones, and for administrators everybody's. */
export const taskRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, { toolkit: { tasks } }) => {
  const [user, admin] = [{ access: 'user' }, { access: 'admin' }] as const
  const tags = ['task']
  const drawings = { tags, querystring: DrawingQuery, response: { 200: Envelope(Type.Array(Drawing)) } }
  const asyncTasks = { tags, querystring: TaskQuery, response: { 200: Envelope(Type.Array(Task)) } }
  /** Pages are counted from 0 here. */
  const fromOne = <T extends { p?: number }>({ p = 0, ...filter }: T) => ({ ...filter, page: p + 1 })

  app.get('/api/mj/', { config: admin, schema: { ...drawings, summary: 'Drawings' } }, async ({ actor, query }) =>
    ok(await tasks.listDrawings(actor, fromOne(query))),
  )
  app.get(
    '/api/mj/self',
    { config: user, schema: { ...drawings, summary: 'Own drawings' } },
    async ({ actor, query }) => ok(await tasks.listDrawings(asCommonUser(actor), fromOne(query))),
  )
  app.get('/api/task/', { config: admin, schema: { ...asyncTasks, summary: 'Tasks' } }, async ({ actor, query }) =>
    ok(await tasks.listTasks(actor, fromOne(query))),
  )
  app.get(
    '/api/task/self',
    { config: user, schema: { ...asyncTasks, summary: 'Own tasks' } },
    async ({ actor, query }) => ok(await tasks.listTasks(asCommonUser(actor), fromOne(query))),
  )
}
