import type { LiveChannel } from '../../../../core/channels/routing/directory.ts'
import { parseObject } from '../../../../core/input.ts'
import { recordOf } from '../../../../core/records.ts'
import { type Json, objectsOf, textOf } from '../../json.ts'
import { joinAddress } from '../openai/address.ts'
import type { ProviderContext } from '../provider.ts'
import { cozeErrorIn } from './errors.ts'

const INTERVAL_MS = 1000
/** Maximum number of polls. Coze ends chats after ten minutes. */
const POLLS_MAX = 600
const RUNNING = new Set(['created', 'in_progress'])

/**
 * Polls a chat until it ends. Without streaming, Coze replies before the chat has ended. Returns the chat with its
 * `messages`, or an error reply unchanged. https://www.coze.cn/docs/developer_guides/retrieve_chat
 */
export async function followChat(
  startedChat: Json,
  { channel, headers, means }: { channel: LiveChannel; headers: Record<string, string>; means: ProviderContext },
): Promise<Json> {
  if (cozeErrorIn(startedChat)) return startedChat
  const { id, conversation_id } = recordOf(startedChat.data)
  const query = new URLSearchParams({ conversation_id: textOf(conversation_id) ?? '', chat_id: textOf(id) ?? '' })

  async function get(path: string): Promise<Json> {
    const url = `${joinAddress(channel.baseUrl, path)}?${query}`
    const { status, body } = await means.call({ url, method: 'GET', headers, body: null })
    const reply = parseObject(body.toString('utf8'))
    return reply ?? { code: status, msg: `Coze answered ${status} when asked for its chat` }
  }

  let chat = startedChat
  for (let polls = 0; isRunning(chat); polls++) {
    if (polls >= POLLS_MAX) return { code: 504, msg: 'The chat did not end within ten minutes' }
    await means.sleep(INTERVAL_MS)
    chat = await get('/v3/chat/retrieve')
  }
  if (cozeErrorIn(chat) || recordOf(chat.data).status !== 'completed') return chat
  const list = await get('/v3/chat/message/list')
  return cozeErrorIn(list) ? list : { ...chat, messages: objectsOf(list.data) }
}

function isRunning(chat: Json): boolean {
  return !cozeErrorIn(chat) && RUNNING.has(textOf(recordOf(chat.data).status) ?? '')
}
