import type { LiveChannel } from '../../../../core/channels/routing/directory.ts'
import { parseObject } from '../../../../core/input.ts'
import { recordOf } from '../../../../core/records.ts'
import type { Conversation } from '../../conversation/conversation.ts'
import { numeric, textOf } from '../../json.ts'
import { readFailure } from '../failure.ts'
import { conversationRequest } from '../openai/converse.ts'
import { openAiHeaders } from '../openai/openai.ts'
import { unsupported } from '../plan-errors.ts'
import type { Plan, Provider, ProviderContext, ProviderRequest } from '../provider.ts'
import { vendorFailureOf, withErrorKinds } from '../vendor-error.ts'
import { SPARK_ERROR_KINDS, sparkError } from './errors.ts'
import { sparkFrame } from './frame.ts'
import { sparkFrameReader } from './frame-reader.ts'
import { type SparkService, sparkService } from './service.ts'
import { signedUrl } from './signed-url.ts'

/**
 * Xunfei Spark. A key of three parts opens a signed websocket. The gateway uses the OpenAI-compatible HTTP API for any
 * other key, for requests with tools, and for the newest models.
 * https://www.xfyun.cn/doc/spark/Web.html, https://www.xfyun.cn/doc/spark/HTTP.html
 */
export const xunfei: Provider = {
  failure(status, text) {
    const body = parseObject(text) ?? {}
    const nested = recordOf(body.error)
    const error = sparkError(body) ?? sparkError({ ...nested, code: numeric(textOf(nested.code) ?? nested.code) })
    return error && SPARK_ERROR_KINDS[error.code] ? vendorFailureOf(status, error) : readFailure(status, text)
  },
  plan(ask, channel, context) {
    if (ask.operation !== 'chat') unsupported(`${ask.operation} is not served by Xunfei Spark`)
    const service = sparkService(ask, channel)
    const parts = channel.key.split('|').map((part) => part.trim())
    const [appId, apiSecret, apiKey] = parts
    const conversation = ask.conversation()
    if (!appId || !apiSecret || !apiKey || service.httpPath || usesTools(conversation)) {
      return overHttp(ask, { ...channel, key: passwordOf(parts) }, { service, context })
    }
    return overWebsocket(conversation, channel, { service, key: { appId, apiSecret, apiKey }, nowMs: context.now() })
  },
}

function usesTools({ tools, turns }: Conversation): boolean {
  return tools.length > 0 || turns.some(({ parts }) => parts.some(({ kind }) => kind === 'call' || kind === 'result'))
}

/** Returns the HTTP password for a key APPID|APISecret|APIKey, APIKey|APISecret or APIPassword. */
function passwordOf(parts: readonly string[]): string {
  const [first = '', second = '', third] = parts
  if (third) return `${third}:${second}`
  return second ? `${first}:${second}` : first
}

type SparkKey = Record<'appId' | 'apiSecret' | 'apiKey', string>

function overWebsocket(
  conversation: Conversation,
  { baseUrl }: LiveChannel,
  { service, key, nowMs }: { service: SparkService; key: SparkKey; nowMs: number },
): Plan {
  const url = new URL(`${baseUrl.replace(/^http/, 'ws')}${service.path}`)
  return {
    request: {
      url: signedUrl(url, { ...key, nowMs }),
      headers: {},
      body: JSON.stringify(sparkFrame(conversation, { service, appId: key.appId })),
    },
    framing: 'ndjson',
    alwaysStreams: true,
    reader: sparkFrameReader(),
  }
}

async function overHttp(
  ask: ProviderRequest,
  channel: LiveChannel,
  { service, context }: { service: SparkService; context: ProviderContext },
): Promise<Plan> {
  const { baseUrl, type } = channel
  const base = baseUrl === type.baseUrl ? (type.compatibleUrl ?? baseUrl) : baseUrl.replace(/^ws/, 'http')
  const request = await conversationRequest({ ...ask, model: service.domain }, channel, context)
  return {
    request: {
      url: base + (service.httpPath ?? request.path),
      headers: openAiHeaders(ask, channel),
      body: request.body,
    },
    // Translate the reply, because clients cannot parse Spark's calls, which have no index and may not be in a list.
    native: false,
    reader: withErrorKinds(request.reader, SPARK_ERROR_KINDS),
  }
}
