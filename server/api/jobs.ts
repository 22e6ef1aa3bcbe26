import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { JobSchema } from '../../core/jobs/schema.ts'
import { Envelope, ok } from './envelope.ts'
import type { ApiParts } from './parts.ts'
import { describeRoutes } from './route.ts'

export const jobRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, { toolkit: { jobs } }) => {
  const admin = describeRoutes('status', 'admin')
  const list = admin('Background jobs: the leading process and the last run of each job', {
    reply: Envelope(Type.Array(JobSchema)),
  })
  app.get('/api/jobs', list, async ({ actor }) => ok(await jobs.list(actor)))
}
