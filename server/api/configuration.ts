import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { findFaults } from '../../core/configuration/check.ts'
import { ConfigurationDocument, ConfigurationExport, ConfigurationPlan } from '../../core/configuration/schema.ts'
import { GatewayError } from '../../core/errors.ts'
import { Envelope, ok } from './envelope.ts'
import type { ApiParts } from './parts.ts'
import { describeRoutes } from './route.ts'

const Request = {
  document: ConfigurationDocument,
  prune: Type.Optional(
    Type.Boolean({ description: 'in each section of the document, delete entries that the section does not list' }),
  ),
}

/**
 * Exports, plans and applies the configuration document. For root, and for management keys of root with a
 * `configuration` scope.
 */
export const configurationRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, { toolkit: { configuration } }) => {
  const root = describeRoutes('configuration', 'root')
  const read = root('The gateway as a document; secrets are references', {
    description: 'Options, groups, prices, channels, teams, limits and management keys, by names.',
    reply: Envelope(ConfigurationExport),
  })
  app.get('/api/configuration', read, async ({ actor }) => ok(await configuration.export(actor)))

  const plan = root('The changes for a document, and the versions of current values', {
    description: 'The caller must replace references to secrets by plain texts.',
    body: Type.Object(Request),
    reply: Envelope(ConfigurationPlan),
  })
  app.post('/api/configuration/plan', plan, async ({ actor, body }) => {
    requireDocument(body.document)
    return ok(await configuration.plan(actor, body))
  })

  const apply = root('Makes the planned changes, all or none', {
    description: 'Fails if the current or new values differ from the plan.',
    body: Type.Object({ ...Request, plan: ConfigurationPlan }),
    reply: Envelope(ConfigurationPlan),
  })
  app.post('/api/configuration/apply', apply, async ({ actor, body }) => {
    requireDocument(body.document)
    return ok(await configuration.apply(actor, body))
  })
}

/**
 * Throws CONFIGURATION_INVALID for an unknown or invalid field. Other routes ignore unknown fields, but in a
 * configuration, an unknown field is probably a typing error.
 */
function requireDocument(document: unknown): void {
  const [fault] = findFaults(document)
  if (!fault) return
  const where = [fault.path, fault.unknown].filter(Boolean).join('.')
  throw new GatewayError('CONFIGURATION_INVALID', { reason: `${where} ${fault.message}` })
}
