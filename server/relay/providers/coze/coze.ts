import { GatewayError } from '../../../../core/errors.ts'
import { checkForApplication, DEFAULT_USER } from '../application-prompt.ts'
import { joinAddress } from '../openai/address.ts'
import type { Provider } from '../provider.ts'
import { cozeFailure } from './errors.ts'
import { cozeMessage } from './messages.ts'
import { followChat } from './poll.ts'
import { cozeReader } from './reader.ts'

/** Bots of Coze: https://www.coze.cn/docs/developer_guides/chat_v3 */
export const coze: Provider = {
  failure: cozeFailure,
  async plan(ask, channel, means) {
    if (ask.operation !== 'chat')
      throw new GatewayError('OPERATION_UNSUPPORTED', { reason: 'bots of Coze only converse' })
    const bot = channel.other.trim()
    if (!bot) {
      throw new GatewayError('CHANNEL_MISCONFIGURED', { id: channel.id, reason: "other must be the bot's id" })
    }
    const conversation = ask.conversation()
    checkForApplication(conversation)
    const headers = {
      authorization: `Bearer ${channel.key.trim()}`,
      'content-type': 'application/json',
      accept: ask.stream ? 'text/event-stream' : 'application/json',
    }
    const context = { channel, headers, means }
    const messages = await Promise.all(conversation.turns.map((turn) => cozeMessage(turn, context)))
    return {
      request: {
        url: joinAddress(channel.baseUrl, '/v3/chat'),
        headers,
        body: JSON.stringify({
          bot_id: bot,
          user_id: conversation.user ?? DEFAULT_USER,
          stream: ask.stream,
          // Without a stream, the gateway polls the chat. Coze stores the chat only if this field is set.
          auto_save_history: true,
          additional_messages: messages.filter((message) => message !== undefined),
        }),
      },
      reader: cozeReader(),
      // The payload of the last event is not an object.
      readsNonJsonEvents: true,
      ...(!ask.stream && { complete: (body: Record<string, unknown>) => followChat(body, context) }),
    }
  },
}
