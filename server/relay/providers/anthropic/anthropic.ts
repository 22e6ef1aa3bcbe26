import type { LiveChannel } from '../../../../core/channels/directory.ts'
import { GatewayError } from '../../../../core/errors.ts'
import { withInlineMedia } from '../../conversation/media.ts'
import { isObject, type Json, numberOf, objectOf, parseObject } from '../../json.ts'
import { readFailure } from '../failure.ts'
import type { Ask, Failure, Means, Provider } from '../provider.ts'
import { rememberingThoughts, withRememberedThoughts } from '../remembered-thoughts.ts'
import { messagesBody } from './messages-body.ts'
import { messagesReader } from './messages-reader.ts'
import { claudeModel } from './models.ts'
import { nativeMessages } from './native-messages.ts'
import { isOwnThought } from './turn-blocks.ts'

const VERSION = '2023-06-01'
const OAUTH_BETA = 'oauth-2025-04-20'
const COUNTED_FIELDS = ['messages', 'system', 'tools', 'tool_choice', 'thinking', 'output_config', 'mcp_servers']
const COUNT_TIMEOUT_MS = 10_000

/** Anthropic: https://platform.claude.com/docs/en/api/messages */
export const anthropic: Provider = {
  failure: messagesFailure,

  async plan(ask, channel, means) {
    const model = claudeModel(ask.model)
    if (model.retired) {
      throw new GatewayError('OPERATION_UNSUPPORTED', {
        reason: `${model.name} was served by Anthropic's text completions, which are gone. Ask for a newer model`,
      })
    }
    const native = ask.dialect === 'anthropic-messages'
    return {
      request: {
        url: address(channel, '/v1/messages') + betaQuery(ask.query),
        headers: anthropicHeaders(ask, channel),
        body: native ? nativeMessages(ask) : JSON.stringify(await translated(ask, means)),
      },
      native,
      ...(native && { renamesModel: model.name !== ask.requestedModel }),
      reader: native
        ? messagesReader({ isStored: isObject(ask.body.thread) })
        : rememberingThoughts(
            messagesReader({ customTools: customToolsOf(ask) }),
            means.signatures,
            ask.conversation(),
          ),
    }
  },

  async countTokens(ask, channel, means) {
    const model = claudeModel(ask.model)
    const body: Json = ask.dialect === 'anthropic-messages' ? ask.body : await translated(ask, means)
    const fields = COUNTED_FIELDS.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]]))
    const { status, body: answer } = await means.call(
      {
        url: address(channel, '/v1/messages/count_tokens'),
        headers: anthropicHeaders({ headers: ask.headers, stream: false }, channel),
        body: JSON.stringify({ model: model.name, ...Object.fromEntries(fields) }),
      },
      { timeoutMs: COUNT_TIMEOUT_MS },
    )
    return status === 200 ? numberOf(parseObject(answer.toString('utf8'))?.input_tokens) : undefined
  },
}

/** A base URL may name the version itself. */
function address({ baseUrl }: Pick<LiveChannel, 'baseUrl'>, path: string): string {
  return baseUrl.replace(/\/v1$/, '') + path
}

/** All of the client's query that is for the upstream: some clients have their key in it. */
function betaQuery(query: string): string {
  return new URLSearchParams(query).get('beta') === 'true' ? '?beta=true' : ''
}

/** Anthropic fetches what has a public address with TLS; anything else is brought along. */
async function translated(ask: Ask, means: Means): Promise<Json> {
  const remembered = await withRememberedThoughts(ask.conversation(), means.signatures, isOwnThought)
  const conversation = await withInlineMedia(remembered, means, { keep: (url) => /^https:/i.test(url) })
  const body = messagesBody(conversation, { model: ask.model, images: 'url' })
  return { model: claudeModel(ask.model).name, ...body, stream: ask.stream }
}

function customToolsOf(ask: Ask): ReadonlySet<string> {
  return new Set(ask.conversation().tools.flatMap(({ name, custom }) => (custom ? [name] : [])))
}

/**
 * The credential, and what the client says about the API's version and its betas. A key that a user signed in for is a bearer
 * token, and needs a beta of its own.
 */
export function anthropicHeaders(
  { headers, stream }: Pick<Ask, 'headers' | 'stream'>,
  { key }: Pick<LiveChannel, 'key'>,
): Record<string, string> {
  const signedIn = key.startsWith('sk-ant-oat')
  // How the operator's key is to be understood is not for the client to say.
  const asked = (headers['anthropic-beta'] ?? '').split(',').filter((beta) => !/^\s*(oauth-|$)/i.test(beta))
  const betas = new Set([...asked.map((beta) => beta.trim()), ...(signedIn ? [OAUTH_BETA] : [])])
  const idempotencyKey = headers['idempotency-key']
  return {
    'content-type': 'application/json',
    accept: stream ? 'text/event-stream' : 'application/json',
    'anthropic-version': headers['anthropic-version'] || VERSION,
    ...(betas.size > 0 && { 'anthropic-beta': [...betas].join(',') }),
    ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    ...(signedIn ? { authorization: `Bearer ${key}` } : { 'x-api-key': key }),
  }
}

const OUT_OF_MONEY = 'Your credit balance is too low'
/** The whole of what Anthropic says then: part of it may stand in any message, repeated from the request. */
const EMPTY_ACCOUNT = /^Your credit balance is too low to access the \w+ API\.( Please go to [^.]+\.?)?$/i
const BAD_KEY = /^invalid x-api-key$/i

/**
 * An error answer in Anthropic's shape. An empty account is told as a bad request, but another channel may have money; a bad
 * key by the same type as what a beta is not allowed to.
 */
export function messagesFailure(status: number, body: string): Failure {
  const details = objectOf(parseObject(body)?.error).details
  const found = { ...readFailure(status, body), ...(isObject(details) && { details }) }
  if (status === 401 && BAD_KEY.test(found.message)) return { ...found, code: 'invalid_api_key' }
  const inWords = status !== 402 && EMPTY_ACCOUNT.test(found.message)
  if (status !== 402 && !inWords) return found
  return {
    ...found,
    status: 402,
    type: 'insufficient_quota',
    code: 'insufficient_quota',
    retry: 'other-channel',
    ...(inWords && { phrase: OUT_OF_MONEY }),
  }
}
