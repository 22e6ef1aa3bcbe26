import type { Conversation } from '../../conversation/conversation.ts'
import { withInlineMedia } from '../../conversation/media.ts'
import { arrayOf, type Json, textOf } from '../../json.ts'
import { withInlineSources } from '../anthropic/inline-sources.ts'
import { messagesBody } from '../anthropic/messages-body.ts'
import { claudeModel } from '../anthropic/models.ts'
import { withClaudeThinking } from '../anthropic/native-messages.ts'
import { isClaudeThought } from '../anthropic/turn-blocks.ts'
import { withCustomCalls } from '../openai/custom-calls.ts'
import { customToolsOf } from '../openai/other-formats.ts'
import { unsupported } from '../plan-errors.ts'
import type { Plan, Provider, ProviderContext, ProviderRequest, ReplyReader } from '../provider.ts'
import { rememberingThoughts, withRememberedThoughts } from '../remembered-thoughts.ts'
import { type BedrockAction, bedrockId, bedrockUrl, isClaude } from './address.ts'
import { converseBody } from './converse-body.ts'
import { converseReader } from './converse-reader.ts'
import { bedrockFailure } from './failure.ts'
import { invokeReader } from './invoke-reader.ts'
import { readBedrockKey } from './key.ts'
import { credentialHeaders } from './signature.ts'

const JSON_TYPE = 'application/json'

/**
 * Models on AWS. Claude uses Anthropic's format. Other models use Bedrock's Converse format.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_Operations_Amazon_Bedrock_Runtime.html
 */
export const bedrock: Provider = {
  failure: bedrockFailure,
  async plan(ask, channel, context): Promise<Plan> {
    if (ask.operation !== 'chat') unsupported(`Bedrock channels do not serve ${ask.operation}`)
    const key = readBedrockKey(channel)
    const id = bedrockId(isClaude(ask.model) ? claudeModel(ask.model).name : ask.model, key.region)
    const { action, body, reader, native } = isClaude(id)
      ? await invokeExchange(ask, context)
      : await converseExchange(ask, id, context)
    return {
      request: {
        url: bedrockUrl({ baseUrl: channel.baseUrl, region: key.region }, { id, action }),
        headers: {
          'content-type': JSON_TYPE,
          accept: ask.stream ? 'application/vnd.amazon.eventstream' : JSON_TYPE,
        },
        body: JSON.stringify(body),
      },
      async sign(request) {
        const at = new Date(context.now())
        const authentication = await credentialHeaders(
          { url: request.url, body: String(request.body), contentType: JSON_TYPE, at },
          key,
        )
        return { ...request, headers: { ...request.headers, ...authentication } }
      },
      framing: 'aws',
      reader,
      native,
      isRequestAdapted: true,
      renamesModel: native,
    }
  },
}

interface Exchange {
  readonly action: BedrockAction
  readonly body: Json
  readonly reader: ReplyReader
  /** Whether the reply is in the client's format. False for streams, which consist of AWS frames. */
  readonly native: boolean
}

async function invokeExchange(ask: ProviderRequest, context: ProviderContext): Promise<Exchange> {
  const isMessages = ask.dialect === 'anthropic-messages'
  return {
    action: ask.stream ? 'invoke-with-response-stream' : 'invoke',
    body: await invokeBody(ask, context),
    reader: isMessages
      ? invokeReader()
      : rememberingThoughts(
          invokeReader({ customTools: customToolsOf(ask.conversation()) }),
          context.signatures,
          ask.conversation(),
        ),
    native: isMessages && !ask.stream,
  }
}

async function converseExchange(ask: ProviderRequest, id: string, context: ProviderContext): Promise<Exchange> {
  return {
    action: ask.stream ? 'converse-stream' : 'converse',
    body: converseBody(await withInlineMedia(ask.conversation(), context), { id }),
    reader: withCustomCalls(converseReader(), customToolsOf(ask.conversation())),
    native: false,
  }
}

const VERSION = 'bedrock-2023-05-31'

/**
 * Returns a Messages body for Bedrock, with version, betas, and all media as base64. The body has no model, because the
 * URL names the model. Throws REQUEST_MALFORMED, MEDIA_REFUSED and MEDIA_UNAVAILABLE.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages.html
 */
async function invokeBody(ask: ProviderRequest, context: ProviderContext): Promise<Json> {
  const body =
    ask.dialect === 'anthropic-messages'
      ? { ...withClaudeThinking(ask.body, ask.model), messages: await withInlineSources(ask.body.messages, context) }
      : messagesBody(await inlinedConversation(ask, context), { model: ask.model, images: 'base64' })
  // Bedrock rejects service tiers, which only Anthropic's own API has.
  const { model: _, stream: __, service_tier: ___, ...rest }: Json = body
  const betas = [...arrayOf(rest.anthropic_beta), ...betasOf(ask.headers['anthropic-beta'])]
  return {
    ...rest,
    anthropic_version: textOf(rest.anthropic_version) ?? VERSION,
    ...(betas.length > 0 && { anthropic_beta: [...new Set(betas)] }),
  }
}

async function inlinedConversation(ask: ProviderRequest, context: ProviderContext): Promise<Conversation> {
  return withInlineMedia(await withRememberedThoughts(ask.conversation(), context.signatures, isClaudeThought), context)
}

function betasOf(header = ''): string[] {
  return header
    .split(',')
    .map((beta) => beta.trim())
    .filter(Boolean)
}
