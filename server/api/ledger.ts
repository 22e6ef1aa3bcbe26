import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { VerificationSchema } from '../../core/ledger/schema.ts'
import { Envelope, ok } from './envelope.ts'
import type { ApiParts } from './parts.ts'
import { describeRoutes } from './route.ts'

export const ledgerRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, { toolkit: { ledger } }) => {
  const root = describeRoutes('ledger', 'root')
  const verify = root("Verifies that each user's balance equals entries minus charges", {
    reply: Envelope(VerificationSchema),
  })
  app.get('/api/ledger/verify', verify, async () => ok(await ledger.verify()))
}
