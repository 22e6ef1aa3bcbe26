import type { LiveChannel } from '../../../../core/channels/routing/directory.ts'
import { parseObject } from '../../../../core/input.ts'
import { isRecord, recordOf } from '../../../../core/records.ts'
import { withInlineMedia } from '../../conversation/media.ts'
import { type Json, numberOf } from '../../json.ts'
import { readFailure } from '../failure.ts'
import { customToolsOf } from '../openai/other-formats.ts'
import { unsupported } from '../plan-errors.ts'
import type { Failure, Provider, ProviderContext, ProviderRequest } from '../provider.ts'
import { rememberingThoughts, withRememberedThoughts } from '../remembered-thoughts.ts'
import { messagesBody } from './messages-body.ts'
import { messagesReader } from './messages-reader.ts'
import { claudeModel } from './models.ts'
import { nativeMessages } from './native-messages.ts'
import { isClaudeThought } from './turn-blocks.ts'

const VERSION = '2023-06-01'
const OAUTH_BETA = 'oauth-2025-04-20'
const COUNTED_FIELDS = ['messages', 'system', 'tools', 'tool_choice', 'thinking', 'output_config', 'mcp_servers']
const COUNT_TIMEOUT_MS = 10_000

/** Anthropic: https://platform.claude.com/docs/en/api/messages */
export const anthropic: Provider = {
  failure: messagesFailure,

  async plan(ask, channel, context) {
    const model = claudeModel(ask.model)
    if (model.isRetired) {
      unsupported(`${model.name} was served by Anthropic's text completions, which are gone. Ask for a newer model`)
    }
    const native = ask.dialect === 'anthropic-messages'
    return {
      request: {
        url: anthropicAddress(channel, '/v1/messages') + betaQuery(ask.query),
        headers: anthropicHeaders(ask, channel),
        body: native ? nativeMessages(ask) : JSON.stringify(await translatedBody(ask, context)),
      },
      native,
      ...(native && { renamesModel: model.name !== ask.requestedModel }),
      reader: native
        ? messagesReader({ isStored: isRecord(ask.body.thread) })
        : rememberingThoughts(
            messagesReader({ customTools: customToolsOf(ask.conversation()) }),
            context.signatures,
            ask.conversation(),
          ),
    }
  },

  async countTokens(ask, channel, context) {
    const model = claudeModel(ask.model)
    const body: Json = ask.dialect === 'anthropic-messages' ? ask.body : await translatedBody(ask, context)
    const fields = COUNTED_FIELDS.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]]))
    const { status, body: reply } = await context.call(
      {
        url: anthropicAddress(channel, '/v1/messages/count_tokens'),
        headers: anthropicHeaders({ headers: ask.headers, stream: false }, channel),
        body: JSON.stringify({ model: model.name, ...Object.fromEntries(fields) }),
      },
      { timeoutMs: COUNT_TIMEOUT_MS },
    )
    return status === 200 ? numberOf(parseObject(reply.toString('utf8'))?.input_tokens) : undefined
  },
}

/** Returns the URL of a path, for base URLs with and without `/v1`. */
export function anthropicAddress({ baseUrl }: Pick<LiveChannel, 'baseUrl'>, path: string): string {
  return baseUrl.replace(/\/v1$/, '') + path
}

/** Returns only `beta=true` of the client's query, because the rest may contain the client's key. */
function betaQuery(query: string): string {
  return new URLSearchParams(query).get('beta') === 'true' ? '?beta=true' : ''
}

/** Translates a conversation. Inlines media, except https URLs, which Anthropic downloads itself. */
async function translatedBody(ask: ProviderRequest, context: ProviderContext): Promise<Json> {
  const remembered = await withRememberedThoughts(ask.conversation(), context.signatures, isClaudeThought)
  const conversation = await withInlineMedia(remembered, context, { keep: (url) => /^https:/i.test(url) })
  const body = messagesBody(conversation, { model: ask.model, images: 'url' })
  return { model: claudeModel(ask.model).name, ...body, stream: ask.stream }
}

/** Returns the headers, with the client's API version and betas. An OAuth key is a bearer token, and needs OAUTH_BETA. */
export function anthropicHeaders(
  { headers, stream }: Pick<ProviderRequest, 'headers' | 'stream'>,
  { key }: Pick<LiveChannel, 'key'>,
): Record<string, string> {
  const isOAuthKey = key.startsWith('sk-ant-oat')
  // Drop OAuth betas of the client, which must not choose how Anthropic interprets the operator's key.
  const clientBetas = (headers['anthropic-beta'] ?? '').split(',').filter((beta) => !/^\s*(oauth-|$)/i.test(beta))
  const betas = new Set([...clientBetas.map((beta) => beta.trim()), ...(isOAuthKey ? [OAUTH_BETA] : [])])
  const idempotencyKey = headers['idempotency-key']
  return {
    'content-type': 'application/json',
    accept: stream ? 'text/event-stream' : 'application/json',
    'anthropic-version': headers['anthropic-version'] || VERSION,
    ...(betas.size > 0 && { 'anthropic-beta': [...betas].join(',') }),
    ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    ...(isOAuthKey ? { authorization: `Bearer ${key}` } : { 'x-api-key': key }),
  }
}

const OUT_OF_MONEY = 'Your credit balance is too low'
/** Matches only Anthropic's whole message, because other messages may quote a part of this text from the request. */
const EMPTY_ACCOUNT = /^Your credit balance is too low to access the \w+ API\.( Please go to [^.]+\.?)?$/i
const BAD_KEY = /^invalid x-api-key$/i

/**
 * Reads an error in Anthropic's format. Anthropic reports an empty account as a bad request. The failure gets status
 * 402, so that the relay tries another channel.
 *
 * A bad key gets its own code, because a forbidden beta has the same error type.
 */
export function messagesFailure(status: number, body: string): Failure {
  const details = recordOf(parseObject(body)?.error).details
  const base = { ...readFailure(status, body), ...(isRecord(details) && { details }) }
  if (status === 401 && BAD_KEY.test(base.message)) return { ...base, code: 'invalid_api_key' }
  const isEmptyByMessage = status !== 402 && EMPTY_ACCOUNT.test(base.message)
  if (status !== 402 && !isEmptyByMessage) return base
  return {
    ...base,
    status: 402,
    type: 'insufficient_quota',
    code: 'insufficient_quota',
    retry: 'other-channel',
    ...(isEmptyByMessage && { phrase: OUT_OF_MONEY }),
  }
}
