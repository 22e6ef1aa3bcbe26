import type { FastifyPluginAsync } from 'fastify'
import { takeFromFastify } from '../admission/relay-request.ts'
import type { TokenCounter } from '../count-tokens.ts'
import { relayRoute, relayRouteSchema } from '../described.ts'
import { checkCountRequest } from '../dialects/anthropic-messages/check.ts'
import { promptOfMessages } from '../dialects/anthropic-messages/count.ts'
import type { Relays } from '../relays.ts'

export const MESSAGES_PATH = '/v1/messages'
export const messagesEntry = { operation: 'chat', dialect: 'anthropic-messages' } as const
const CONFIG = { dialect: messagesEntry.dialect }

export const anthropicPaths: FastifyPluginAsync<{ relays: Relays; countTokens: TokenCounter }> = async (
  app,
  { relays, countTokens },
) => {
  const schema = relayRouteSchema("Messages, in Anthropic's format", CONFIG)
  app.post(MESSAGES_PATH, { config: CONFIG, schema }, (request, reply) =>
    relays.handle(messagesEntry, takeFromFastify(request, reply), reply.raw),
  )
  app.post(
    '/v1/messages/count_tokens',
    relayRoute('Counts the tokens of a Messages request, free of charge', CONFIG),
    async (request, reply) => {
      const tokens = await countTokens(request, reply.raw, {
        dialect: messagesEntry.dialect,
        check: checkCountRequest,
        prompt: promptOfMessages,
      })
      return { input_tokens: tokens }
    },
  )
}
