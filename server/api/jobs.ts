import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { JobSchema } from '../../core/jobs/schema.ts'
import { Envelope, ok } from './envelope.ts'
import type { ApiParts } from './parts.ts'

export const jobRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, { toolkit: { jobs } }) => {
  const list = {
    tags: ['status'],
    summary: 'Background jobs: the leading process and the last run of each job',
    response: { 200: Envelope(Type.Array(JobSchema)) },
  }
  app.get('/api/jobs', { config: { access: 'admin' }, schema: list }, async ({ actor }) => ok(await jobs.list(actor)))
}
