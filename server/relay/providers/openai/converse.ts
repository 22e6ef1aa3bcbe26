import type { LiveChannel } from '../../../../core/channels/routing/directory.ts'
import type { DialectName } from '../../../../core/channels/routing/operations.ts'
import type { ChannelSettings } from '../../../../core/channels/settings/settings.ts'
import type { ChannelType } from '../../../../core/channels/types/types.ts'
import type { Ready } from '../../../../core/ready.ts'
import { recordOf } from '../../../../core/records.ts'
import { refuseFeatures } from '../../conversation/client-fields.ts'
import type { Conversation } from '../../conversation/conversation.ts'
import { withInlineMedia } from '../../conversation/media.ts'
import { asksForUsage } from '../../delivery/stream-options.ts'
import { refuse } from '../../dialects/refuse.ts'
import { dialectsOf } from '../../hosted/omitted.ts'
import { type Json, numberOf, objectsOf, textOf, wordOf } from '../../json.ts'
import { misconfigured } from '../plan-errors.ts'
import type { ProviderContext, ProviderRequest, ReplyReader } from '../provider.ts'
import { rememberingThoughts, withRememberedThoughts } from '../remembered-thoughts.ts'
import { openAiPath } from './address.ts'
import { chatBody } from './chat-body.ts'
import type { MessageOptions } from './chat-messages.ts'
import { chatReader } from './chat-reader.ts'
import { withCustomCalls } from './custom-calls.ts'
import { withFieldRules } from './fields.ts'
import { isOpenAiModel, openAiSuffix } from './model-rules.ts'
import { withoutForeignThoughts } from './native-responses.ts'
import { customToolsOf, OTHER_FORMATS, withEffort } from './other-formats.ts'
import { applyQuirks } from './quirks.ts'
import { withThinkTags } from './think-tags.ts'

/** A conversation request for an upstream that uses OpenAI's paths, without host and headers. */
export interface ConversationRequest {
  /** The upstream's format. */
  readonly dialect: DialectName
  /** OpenAI's path, or the vendor's own path for this request. */
  readonly path: string
  /** The upstream's model name, without gateway suffixes. */
  readonly model: string
  readonly body: Buffer | string
  readonly native: boolean
  readonly reader: ReplyReader
  /** As in `Plan.isNotConversation`. */
  readonly isNotConversation?: true
}

/**
 * Returns the format for the upstream: the client's format if the upstream supports it, otherwise the upstream's first
 * format that the gateway can write.
 */
export function wireDialect(dialect: DialectName, channel: LiveChannel): DialectName {
  const dialects = dialectsOf(channel)
  if (dialects.includes(dialect)) return dialect
  return dialects.find((name) => name === 'openai-chat' || name in OTHER_FORMATS) ?? dialects[0] ?? 'openai-chat'
}

/**
 * Converts a client's conversation for this channel. Throws the errors of `Provider.plan`.
 *
 * `adapt` makes changes to a chat body that quirks cannot express. If it changes nothing, it must return the same
 * object.
 */
export function conversationRequest(
  ask: ProviderRequest,
  channel: LiveChannel,
  context: Pick<ProviderContext, 'download' | 'signatures'>,
  { adapt = (body) => body }: { adapt?: (body: Json) => Json } = {},
): Ready<ConversationRequest> {
  const dialect = wireDialect(ask.dialect, channel)
  const native = dialect === ask.dialect
  if (isFillInMiddle(ask, channel, dialect)) return fillInMiddleRequest(ask, channel)
  if (dialect === 'openai-chat') return chatCompletion(ask, channel, { native, context, adapt })
  return native ? nativeRequest(ask, channel, dialect) : translatedRequest(ask, channel, { dialect, context })
}

/** Whether the request fills in the middle of a text, and the vendor has an endpoint for such requests. */
function isFillInMiddle(ask: ProviderRequest, { type }: LiveChannel, dialect: DialectName): boolean {
  if (ask.dialect !== 'openai-completions' || dialect === ask.dialect) return false
  const { fill } = type.quirks ?? {}
  return (
    fill !== undefined &&
    (textOf(ask.body.suffix) !== undefined || fill.models.some((name) => ask.model.startsWith(name)))
  )
}

/** Returns a completions request whose reply is a chat completion: https://docs.mistral.ai/api/endpoint/fim */
function fillInMiddleRequest(ask: ProviderRequest, { type }: LiveChannel): ConversationRequest {
  const { fill, fields } = type.quirks ?? {}
  const { prompt, echo, n } = ask.body
  if (typeof prompt !== 'string') refuse('prompt must be one text: this model fills one gap at a time')
  if (echo === true) refuse('echo is not supported for this model: leave it out')
  refuseFeatures({ client: ask.dialect, choices: numberOf(n) ?? 1 }, ['choices'])
  const body = withFieldRules({ ...ask.body, model: ask.model }, { ...fields?.chat, only: fill?.only ?? [] })
  const path = fill?.path ?? ''
  return {
    dialect: 'openai-chat',
    path,
    model: ask.model,
    body: JSON.stringify(body),
    native: false,
    reader: readerOf(type),
    isNotConversation: true,
  }
}

function nativeRequest(
  ask: ProviderRequest,
  { type, settings }: LiveChannel,
  dialect: DialectName,
): ConversationRequest {
  const upstreamBody = nativeRequestBody(ask, type, settings)
  // Only completions need `stream_options`. In other formats, streams always contain the usage.
  const needsUsageOption = dialect === 'openai-completions'
  const body = nativeBody(needsUsageOption ? ask : { ...ask, stream: false }, {
    upstreamBody,
    streamUsage: needsUsageOption ? type.streamUsage === true : true,
  })
  const reader = OTHER_FORMATS[dialect]?.reader() ?? readerOf(type)
  return { dialect, path: openAiPath('chat', dialect), model: wordOf(upstreamBody.model), body, native: true, reader }
}

/**
 * Returns the body for a format other than chat completions. Sets the upstream's model name without a suffix for the
 * effort, and this effort.
 */
function nativeRequestBody(
  { body: clientBody, model: modelName, dialect }: ProviderRequest,
  { quirks }: ChannelType,
  { storeResponses }: Pick<ChannelSettings, 'storeResponses'>,
): Readonly<Json> {
  const { model, effort } = quirks?.models === 'openai' ? openAiSuffix(modelName) : { model: modelName }
  const body =
    dialect === 'openai-responses' ? withStorage(withoutForeignThoughts(clientBody), storeResponses) : clientBody
  const withModel = model === body.model ? body : { ...body, model }
  return effort !== undefined && dialect === 'openai-responses' ? withEffort(withModel, effort) : withModel
}

/** Disables storage of responses at the upstream, if the channel does not allow storage. */
function withStorage(body: Readonly<Json>, isAllowed: boolean): Readonly<Json> {
  return isAllowed || body.store === false ? body : { ...body, store: false }
}

async function translatedRequest(
  ask: ProviderRequest,
  channel: LiveChannel,
  { dialect, context }: { dialect: DialectName; context: Pick<ProviderContext, 'download' | 'signatures'> },
): Promise<ConversationRequest> {
  const format = OTHER_FORMATS[dialect]
  if (!format) rejectDialect(dialect, channel)
  const remembered = await withRememberedThoughts(ask.conversation(), context.signatures, format.isOwnThought)
  const conversation = await withReadableMedia(remembered, { inline: false, context })
  const body = format.body(conversation, ask)
  return {
    dialect,
    path: openAiPath('chat', dialect),
    model: wordOf(body.model),
    body: JSON.stringify(body),
    native: false,
    reader: rememberingThoughts(format.reader(conversation), context.signatures, ask.conversation()),
  }
}

function rejectDialect(dialect: DialectName, { id }: LiveChannel): never {
  misconfigured(
    id,
    `it supports only ${dialect}, to which the gateway cannot translate. Add openai-chat to "dialects" in its setting`,
  )
}

interface ChatOptions {
  native: boolean
  context: Pick<ProviderContext, 'download' | 'signatures'>
  adapt: (body: Json) => Json
}

function chatCompletion(ask: ProviderRequest, channel: LiveChannel, options: ChatOptions): Ready<ConversationRequest> {
  const { type } = channel
  const { native, adapt } = options
  const quirks = type.quirks ?? {}
  // Inlining media needs the parsed conversation.
  const usesClientBody = native && !(quirks.messages?.inlineMedia === true && namesImages(ask.body))
  if (!usesClientBody) return parsedChat(ask, channel, options)
  const withModel = ask.body.model === ask.model ? ask.body : { ...ask.body, model: ask.model }
  const body = adapt(applyQuirks(withModel, quirks))
  const bytes = nativeBody(ask, { upstreamBody: body, streamUsage: type.streamUsage === true })
  return chatRequest(body, { type, bytes, native, reader: readerOf(type) })
}

async function parsedChat(
  ask: ProviderRequest,
  { type }: LiveChannel,
  { native, context, adapt }: ChatOptions,
): Promise<ConversationRequest> {
  const { model, stream } = ask
  const { streamUsage = false, quirks = {} } = type
  const inline = quirks.messages?.inlineMedia === true
  const conversation = await withReadableMedia(ask.conversation(), { inline, context })
  const options = messageOptions(type, model)
  const customTools = options.customTools ? undefined : customToolsOf(conversation)
  const chatFields = chatBody(conversation, { ...options, model, stream, streamUsage })
  const body = adapt(applyQuirks(chatFields, quirks))
  const plainReader = readerOf(type)
  const reader = customTools && customTools.size > 0 ? withCustomCalls(plainReader, customTools) : plainReader
  return chatRequest(body, { type, bytes: JSON.stringify(body), native, reader })
}

function chatRequest(
  body: Json,
  { type, bytes, native, reader }: { type: ChannelType; bytes: Buffer | string; native: boolean; reader: ReplyReader },
): ConversationRequest {
  return {
    dialect: 'openai-chat',
    path: chatPath(type, body),
    model: wordOf(body.model),
    body: bytes,
    native: native && type.quirks?.reply?.isRebuilt !== true,
    reader,
  }
}

/** Returns the options of chat messages that the vendor and the model support. */
function messageOptions({ quirks = {} }: ChannelType, model: string): MessageOptions {
  const { reasoning, cacheMarks, prefix, strict } = quirks.messages ?? {}
  const isOpenAi = quirks.models === 'openai' && isOpenAiModel(model)
  return {
    ...(reasoning && { reasoning }),
    ...(cacheMarks && { cacheMarks }),
    ...(prefix && { prefix }),
    strict: strict === true || isOpenAi,
    customTools: isOpenAi,
  }
}

/** Inlines files, because the formats have no field for a file's URL. If `inline` is true, inlines all media. */
function withReadableMedia(
  conversation: Conversation,
  { inline, context }: { inline: boolean; context: Pick<ProviderContext, 'download' | 'signatures'> },
): Promise<Conversation> {
  const parts = conversation.turns.flatMap((turn) => turn.parts)
  const allParts = parts.flatMap((part) => (part.kind === 'result' ? part.parts : [part]))
  const files = new Set(
    allParts.flatMap((part) => (part.kind === 'file' && 'url' in part.media ? [part.media.url] : [])),
  )
  return withInlineMedia(conversation, context, { keep: (url) => !inline && !files.has(url) })
}

/** Whether a message has an image by its URL. */
function namesImages(body: Readonly<Json>): boolean {
  return objectsOf(body.messages)
    .flatMap(({ content }) => objectsOf(content))
    .some(({ image_url }) => /^https?:/i.test(wordOf(recordOf(image_url).url ?? image_url)))
}

/** Returns OpenAI's path, or the vendor's own path for this model or for the continuation of a partial reply. */
function chatPath({ quirks }: ChannelType, { model, messages }: Json): string {
  const modelPath = Object.entries(quirks?.modelPaths ?? {}).find(([start]) => wordOf(model).startsWith(start))?.[1]
  const prefixPath = objectsOf(messages).at(-1)?.prefix === true ? quirks?.prefixPath : undefined
  return modelPath ?? prefixPath ?? openAiPath('chat', 'openai-chat')
}

function readerOf({ quirks }: ChannelType): ReplyReader {
  const reader = chatReader(quirks?.reply)
  return quirks?.reply?.thinkTags ? withThinkTags(reader) : reader
}

/**
 * Returns a body in the client's format. `upstreamBody` is the body with the gateway's changes, or `body` itself if
 * nothing changed. Adds `include_usage` to streams. If `streamUsage` is false, removes `stream_options`, which the
 * vendor does not support.
 *
 * Returns the client's bytes if nothing changes, so that number formats and key order remain. Inserts a missing
 * `stream_options` into the client's bytes if nothing else changes.
 */
function nativeBody(
  { raw, body, stream }: Pick<ProviderRequest, 'raw' | 'body' | 'stream'>,
  { upstreamBody, streamUsage }: { upstreamBody: Readonly<Json>; streamUsage: boolean },
): Buffer | string {
  const hasOptions = 'stream_options' in upstreamBody
  const needsUsage = stream && streamUsage && !asksForUsage(upstreamBody)
  const isSame = upstreamBody === body && !(hasOptions && (needsUsage || !streamUsage))
  if (isSame && !needsUsage) return raw
  if (isSame) {
    const brace = raw.indexOf('{')
    return Buffer.concat([raw.subarray(0, brace + 1), ASK_USAGE, raw.subarray(brace + 1)])
  }
  const { stream_options, ...rest } = upstreamBody
  if (!streamUsage) return JSON.stringify(rest)
  if (!needsUsage) return JSON.stringify(upstreamBody)
  return JSON.stringify({ ...rest, stream_options: { ...recordOf(stream_options), include_usage: true } })
}

const ASK_USAGE = Buffer.from('"stream_options":{"include_usage":true},')
