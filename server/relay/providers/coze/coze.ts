import type { LiveChannel } from '../../../../core/channels/routing/directory.ts'
import { GatewayError } from '../../../../core/errors.ts'
import { parseObject } from '../../../../core/input.ts'
import { recordOf } from '../../../../core/records.ts'
import type { Turn } from '../../conversation/conversation.ts'
import { type Json, objectsOf, textOf } from '../../json.ts'
import {
  type Attachment,
  attachmentsOf,
  checkForApplication,
  DEFAULT_USER,
  fileForm,
  textOfTurn,
} from '../application-prompt.ts'
import { joinAddress } from '../openai/address.ts'
import { misconfigured, unsupported } from '../plan-errors.ts'
import type { Provider, ProviderContext } from '../provider.ts'
import { cozeErrorIn, cozeFailure } from './errors.ts'
import { cozeReader } from './reader.ts'

/** Bots of Coze: https://www.coze.cn/docs/developer_guides/chat_v3 */
export const coze: Provider = {
  failure: cozeFailure,
  async plan(ask, channel, context) {
    if (ask.operation !== 'chat') unsupported('bots of Coze only converse')
    const bot = channel.other.trim() || misconfigured(channel.id, "other must be the bot's id")
    const conversation = ask.conversation()
    checkForApplication(conversation)
    const headers = {
      authorization: `Bearer ${channel.key.trim()}`,
      'content-type': 'application/json',
      accept: ask.stream ? 'text/event-stream' : 'application/json',
    }
    const api = { channel, headers, context }
    const messages = await Promise.all(conversation.turns.map((turn) => cozeMessage(turn, api)))
    return {
      request: {
        url: joinAddress(channel.baseUrl, '/v3/chat'),
        headers,
        body: JSON.stringify({
          bot_id: bot,
          user_id: conversation.user ?? DEFAULT_USER,
          stream: ask.stream,
          // Stores the chat, because the gateway polls it if the client requests no stream.
          auto_save_history: true,
          additional_messages: messages.filter((message) => message !== undefined),
        }),
      },
      reader: cozeReader(),
      // The payload of the last event is not an object.
      readsNonJsonEvents: true,
      ...(!ask.stream && { complete: (body: Record<string, unknown>) => pollChat(body, api) }),
    }
  },
}

/** The channel, headers and services for further calls of Coze's API. */
interface CozeApi {
  readonly channel: LiveChannel
  readonly headers: Record<string, string>
  readonly context: ProviderContext
}

/**
 * Converts a turn to a message. Returns undefined for a turn without content. Instructions become questions, because
 * Coze has only questions and answers. https://www.coze.cn/docs/developer_guides/chat_v3
 */
async function cozeMessage({ role, parts }: Turn, api: CozeApi): Promise<Record<string, unknown> | undefined> {
  const text = textOfTurn(parts)
  const attachments = attachmentsOf(parts)
  if (text === '' && attachments.length === 0) return undefined
  const sender = role === 'assistant' ? { role, type: 'answer' } : { role: 'user', type: 'question' }
  if (attachments.length === 0) return { ...sender, content: text, content_type: 'text' }
  const files = await Promise.all(attachments.map((attachment) => fileItem(attachment, api)))
  const items = text === '' ? files : [{ type: 'text', text }, ...files]
  return { ...sender, content: JSON.stringify(items), content_type: 'object_string' }
}

const ITEM_TYPES: Record<Attachment['kind'], string> = { image: 'image', audio: 'audio', document: 'file' }

async function fileItem(
  { kind, name, source }: Attachment,
  { channel, headers, context }: CozeApi,
): Promise<Record<string, string>> {
  const type = ITEM_TYPES[kind]
  if ('url' in source) return { type, file_url: source.url }
  const { contentType, body } = await fileForm({ name, source })
  const reply = await context.call({
    url: joinAddress(channel.baseUrl, '/v1/files/upload'),
    headers: { ...headers, 'content-type': contentType },
    body,
  })
  const id = textOf(recordOf(parseObject(reply.body.toString('utf8'))?.data).id)
  if (id) return { type, file_id: id }
  throw new GatewayError('UPSTREAM_FAILED', {}, { cause: new Error(`The upload was answered with ${reply.status}`) })
}

const POLL_INTERVAL_MS = 1000
/** Maximum number of polls. Coze ends chats after ten minutes. */
const POLLS_MAX = 600
const RUNNING = new Set(['created', 'in_progress'])

/**
 * Polls a chat until it ends, because Coze replies earlier without streaming. Returns the chat with its `messages`. An
 * error reply, and a chat that was not completed, have no `messages`.
 * https://www.coze.cn/docs/developer_guides/retrieve_chat
 */
async function pollChat(startedChat: Json, { channel, headers, context }: CozeApi): Promise<Json> {
  if (cozeErrorIn(startedChat)) return startedChat
  const { id, conversation_id } = recordOf(startedChat.data)
  const query = new URLSearchParams({ conversation_id: textOf(conversation_id) ?? '', chat_id: textOf(id) ?? '' })

  async function get(path: string): Promise<Json> {
    const url = `${joinAddress(channel.baseUrl, path)}?${query}`
    const { status, body } = await context.call({ url, method: 'GET', headers, body: null })
    const reply = parseObject(body.toString('utf8'))
    return reply ?? { code: status, msg: `Coze answered ${status} when asked for its chat` }
  }

  let chat = startedChat
  for (let polls = 0; isRunning(chat); polls++) {
    if (polls >= POLLS_MAX) return { code: 504, msg: 'The chat did not end within ten minutes' }
    await context.sleep(POLL_INTERVAL_MS)
    chat = await get('/v3/chat/retrieve')
  }
  if (cozeErrorIn(chat) || recordOf(chat.data).status !== 'completed') return chat
  const list = await get('/v3/chat/message/list')
  return cozeErrorIn(list) ? list : { ...chat, messages: objectsOf(list.data) }
}

function isRunning(chat: Json): boolean {
  return !cozeErrorIn(chat) && RUNNING.has(textOf(recordOf(chat.data).status) ?? '')
}
