import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { VerificationSchema } from '../../core/ledger/schema.ts'
import { Envelope, ok } from './envelope.ts'
import type { ApiParts } from './parts.ts'

export const ledgerRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, { toolkit: { ledger } }) => {
  const verify = {
    tags: ['ledger'],
    summary: "Verifies that each user's balance equals entries minus charges",
    response: { 200: Envelope(VerificationSchema) },
  }
  app.get('/api/ledger/verify', { config: { access: 'root' }, schema: verify }, async () => ok(await ledger.verify()))
}
