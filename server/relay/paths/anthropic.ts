import type { FastifyPluginAsync } from 'fastify'
import { preflight } from '../../cors.ts'
import { takeFromFastify } from '../admission/relay-request.ts'
import type { TokenCounter } from '../count-tokens.ts'
import { described } from '../described.ts'
import { checkCount } from '../dialects/anthropic-messages/check.ts'
import { promptOfMessages } from '../dialects/anthropic-messages/count.ts'
import type { Relays } from '../relays.ts'

const ENTRY = { operation: 'chat', dialect: 'anthropic-messages' } as const
const CONFIG = { dialect: ENTRY.dialect }

/** What clients of Anthropic's API call. */
export const anthropicPaths: FastifyPluginAsync<{ relays: Relays; countTokens: TokenCounter }> = async (
  app,
  { relays, countTokens },
) => {
  const schema = described('Messages, as Anthropic has them', CONFIG)
  app.post('/v1/messages', { config: CONFIG, schema }, (request, reply) => {
    // Anthropic's clients show it as the id of the request.
    reply.raw.setHeader('request-id', request.id)
    return relays.handle(ENTRY, takeFromFastify(request, reply), reply.raw)
  })
  app.post(
    '/v1/messages/count_tokens',
    { config: CONFIG, schema: described('The tokens of a Messages request, for nothing', CONFIG) },
    async (request, reply) => {
      const tokens = await countTokens(request, reply.raw, {
        dialect: ENTRY.dialect,
        check: checkCount,
        prompt: promptOfMessages,
      })
      return { input_tokens: tokens }
    },
  )
  for (const path of ['/v1/messages', '/v1/messages/count_tokens']) {
    app.options(path, { schema: { hide: true } }, preflight)
  }
}
