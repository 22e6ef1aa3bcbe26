import type { FastifyPluginAsync } from 'fastify'
import { preflight } from '../../cors.ts'
import type { TokenCounter } from '../count-tokens.ts'
import { described } from '../described.ts'
import { checkCount } from '../dialects/anthropic-messages/check.ts'
import { promptOfMessages } from '../dialects/anthropic-messages/count.ts'
import type { Relay } from '../relay.ts'

const ENTRY = { operation: 'chat', dialect: 'anthropic-messages' } as const
const CONFIG = { dialect: ENTRY.dialect }

/** What clients of Anthropic's API call. */
export const anthropicPaths: FastifyPluginAsync<{ relay: Relay; countTokens: TokenCounter }> = async (
  app,
  { relay, countTokens },
) => {
  const schema = described('Messages, as Anthropic has them', CONFIG)
  app.post('/v1/messages', { config: CONFIG, schema }, (request, reply) => {
    // Anthropic's clients show it as the id of the request.
    reply.raw.setHeader('request-id', request.id)
    return relay.handle(ENTRY, request, reply)
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
