import type { LiveChannel } from '../../../../core/channels/directory.ts'
import type { DialectName } from '../../../../core/channels/operations.ts'
import type { ChannelSettings } from '../../../../core/channels/settings.ts'
import type { ChannelType } from '../../../../core/channels/types.ts'
import { GatewayError } from '../../../../core/errors.ts'
import type { Ready } from '../../../../core/ready.ts'
import type { Conversation } from '../../conversation/conversation.ts'
import { withInlineMedia } from '../../conversation/media.ts'
import { dialectsOf } from '../../hosted/omitted.ts'
import { type Json, objectOf, objectsOf, wordOf } from '../../json.ts'
import type { Ask, Means, ReplyReader } from '../provider.ts'
import { rememberingThoughts, withRememberedThoughts } from '../remembered-thoughts.ts'
import { openAiPath } from './address.ts'
import { chatBody } from './chat-body.ts'
import type { MessageOptions } from './chat-messages.ts'
import { chatReader } from './chat-reader.ts'
import { withCustomCalls } from './custom-calls.ts'
import { isOpenAiModel, openAiSuffix } from './model-rules.ts'
import { nativeBody } from './native-body.ts'
import { withoutForeignThoughts } from './native-responses.ts'
import { customToolsOf, OTHER_FORMATS, withEffort } from './other-formats.ts'
import { quirkedChat } from './quirks.ts'
import { withThinkTags } from './think-tags.ts'

/** What is said to an upstream in OpenAI's language. The address of `path` and the headers are the caller's matter. */
export interface Said {
  readonly dialect: DialectName
  /** OpenAI's path, or the vendor's for this very request. */
  readonly path: string
  /** The upstream's name of the model, without a suffix that is none of its. */
  readonly model: string
  readonly body: Buffer | string
  readonly native: boolean
  readonly reader: ReplyReader
}

/** The format to converse with a channel in: the client's own, if the upstream speaks it, else the dearest that can be written. */
export function wireDialect(dialect: DialectName, channel: LiveChannel): DialectName {
  const spoken = dialectsOf(channel)
  if (spoken.includes(dialect)) return dialect
  return spoken.find((name) => name === 'openai-chat' || name in OTHER_FORMATS) ?? spoken[0] ?? 'openai-chat'
}

/**
 * A client's conversation as this channel is to be asked for it. Throws what `Provider.plan` does. `adapt`: what the vendor
 * wants in a chat body that its quirks cannot say; it answers the very object it was given when nothing must change.
 */
export function converse(
  ask: Ask,
  channel: LiveChannel,
  means: Pick<Means, 'media' | 'signatures'>,
  { adapt = (body) => body }: { adapt?: (body: Json) => Json } = {},
): Ready<Said> {
  const dialect = wireDialect(ask.dialect, channel)
  const native = dialect === ask.dialect
  if (dialect === 'openai-chat') return chat(ask, channel, { native, means, adapt })
  return native ? nativeOther(ask, channel, dialect) : translatedOther(ask, channel, { dialect, means })
}

function nativeOther(ask: Ask, { type, settings }: LiveChannel, dialect: DialectName): Said {
  const wanted = nativeWanted(ask, type, settings)
  // Only formats of OpenAI's have to be asked for the usage of a stream.
  const isAsked = dialect === 'openai-completions'
  const body = nativeBody(isAsked ? ask : { ...ask, stream: false }, {
    wanted,
    streamUsage: isAsked ? type.streamUsage : true,
  })
  const reader = OTHER_FORMATS[dialect]?.reader() ?? readerOf(type)
  return { dialect, path: openAiPath('chat', dialect), model: wordOf(wanted.model), body, native: true, reader }
}

/** The body in a format that has no quirks: with the upstream's name of the model, and the effort that a suffix asks for. */
function nativeWanted(
  { body: asked, model: named, dialect }: Ask,
  { quirks }: ChannelType,
  { storeResponses }: Pick<ChannelSettings, 'storeResponses'>,
): Readonly<Json> {
  const { model, effort } = quirks?.models === 'openai' ? openAiSuffix(named) : { model: named }
  const body = dialect === 'openai-responses' ? withStorage(withoutForeignThoughts(asked), storeResponses) : asked
  const wanted = model === body.model ? body : { ...body, model }
  return effort !== undefined && dialect === 'openai-responses' ? withEffort(wanted, effort) : wanted
}

/** The request without storage at the upstream, where the channel has turned it off. */
function withStorage(body: Readonly<Json>, isAllowed: boolean): Readonly<Json> {
  return isAllowed || body.store === false ? body : { ...body, store: false }
}

async function translatedOther(
  ask: Ask,
  channel: LiveChannel,
  { dialect, means }: { dialect: DialectName; means: Pick<Means, 'media' | 'signatures'> },
): Promise<Said> {
  const format = OTHER_FORMATS[dialect]
  if (!format) throw untranslatable(dialect, channel)
  const remembered = await withRememberedThoughts(ask.conversation(), means.signatures, format.isOwnThought)
  const conversation = await readable(remembered, { inline: false, means })
  const body = format.body(conversation, ask)
  return {
    dialect,
    path: openAiPath('chat', dialect),
    model: wordOf(body.model),
    body: JSON.stringify(body),
    native: false,
    reader: rememberingThoughts(format.reader(conversation), means.signatures, ask.conversation()),
  }
}

function untranslatable(dialect: DialectName, { id }: LiveChannel): GatewayError {
  const reason = `it speaks ${dialect} alone, into which nothing is translated. Add openai-chat to "dialects" in its setting`
  return new GatewayError('CHANNEL_MISCONFIGURED', { id, reason })
}

interface ChatMeans {
  native: boolean
  means: Pick<Means, 'media' | 'signatures'>
  adapt: (body: Json) => Json
}

function chat(ask: Ask, channel: LiveChannel, parts: ChatMeans): Ready<Said> {
  const { type } = channel
  const { native, adapt } = parts
  const quirks = type.quirks ?? {}
  // Addresses that the upstream cannot read are only to be had out of the conversation.
  const passes = native && !(quirks.messages?.inlineMedia === true && namesImages(ask.body))
  if (!passes) return writtenChat(ask, channel, parts)
  const wanted = ask.body.model === ask.model ? ask.body : { ...ask.body, model: ask.model }
  const body = adapt(quirkedChat(wanted, quirks))
  const bytes = nativeBody(ask, { wanted: body, streamUsage: type.streamUsage })
  return said(body, { type, bytes, native, reader: readerOf(type) })
}

async function writtenChat(ask: Ask, { type }: LiveChannel, { native, means, adapt }: ChatMeans): Promise<Said> {
  const { model, stream } = ask
  const { streamUsage, quirks = {} } = type
  const inline = quirks.messages?.inlineMedia === true
  const conversation = await readable(ask.conversation(), { inline, means })
  const options = messageOptions(type, model)
  const customTools = options.customTools ? undefined : customToolsOf(conversation)
  const wanted = chatBody(conversation, { ...options, model, stream, streamUsage })
  const body = adapt(quirkedChat(wanted, quirks))
  const plain = readerOf(type)
  const reader = customTools && customTools.size > 0 ? withCustomCalls(plain, customTools) : plain
  return said(body, { type, bytes: JSON.stringify(body), native, reader })
}

function said(
  body: Json,
  { type, bytes, native, reader }: { type: ChannelType; bytes: Buffer | string; native: boolean; reader: ReplyReader },
): Said {
  return {
    dialect: 'openai-chat',
    path: chatPath(type, body),
    model: wordOf(body.model),
    body: bytes,
    native: native && type.quirks?.reply?.anew !== true,
    reader,
  }
}

/** What chat completions of this vendor take in their messages. */
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

/** Files have no address in this format; images may, unless the upstream reads none. */
function readable(
  conversation: Conversation,
  { inline, means }: { inline: boolean; means: Pick<Means, 'media' | 'signatures'> },
): Promise<Conversation> {
  const parts = conversation.turns.flatMap((turn) => turn.parts)
  const all = parts.flatMap((part) => (part.kind === 'result' ? part.parts : [part]))
  const files = new Set(all.flatMap((part) => (part.kind === 'file' && 'url' in part.media ? [part.media.url] : [])))
  return withInlineMedia(conversation, means, { keep: (url) => !inline && !files.has(url) })
}

function namesImages(body: Readonly<Json>): boolean {
  return objectsOf(body.messages)
    .flatMap(({ content }) => objectsOf(content))
    .some(({ image_url }) => /^https?:/i.test(wordOf(objectOf(image_url).url ?? image_url)))
}

/** Some models converse elsewhere, and some vendors go on with a begun reply elsewhere. */
function chatPath({ quirks }: ChannelType, { model, messages }: Json): string {
  const byName = Object.entries(quirks?.modelPaths ?? {}).find(([start]) => wordOf(model).startsWith(start))?.[1]
  const isBegun = objectsOf(messages).at(-1)?.prefix === true ? quirks?.prefixPath : undefined
  return byName ?? isBegun ?? openAiPath('chat', 'openai-chat')
}

function readerOf({ quirks }: ChannelType): ReplyReader {
  const reader = chatReader(quirks?.reply)
  return quirks?.reply?.thinkTags ? withThinkTags(reader) : reader
}
