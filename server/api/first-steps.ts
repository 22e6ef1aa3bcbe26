import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { FirstSteps, firstStepsOf } from '../../core/first-steps/first-steps.ts'
import { KeyModels, keyModels } from '../../core/first-steps/key-models.ts'
import { Envelope, ok } from './envelope.ts'
import { IdParams } from './fields.ts'
import type { ApiParts } from './parts.ts'
import { describeRoutes } from './route.ts'

/**
 * Routes that return the steps to the first request of a new gateway or a new user, and which of them are completed.
 */
export const firstStepsRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, { toolkit, directory }) => {
  const self = describeRoutes('self', 'user')
  const token = describeRoutes('token', 'user')
  const steps = self('Completed first steps. For root: steps of the gateway; for others: steps of the account', {
    reply: Envelope(FirstSteps),
  })
  app.get('/api/user/first-steps', steps, async ({ actor }) => ok(await firstStepsOf({ ...toolkit, directory }, actor)))

  const models = token("Models available to one of the user's API keys, and a suggested model for a first request", {
    params: IdParams,
    reply: Envelope(KeyModels),
  })
  app.get('/api/token/:id/models', models, async ({ actor, params }) =>
    ok(await keyModels({ ...toolkit, directory }, actor, params.id)),
  )
}
