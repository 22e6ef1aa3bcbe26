import type { LiveChannel } from '../../../../core/channels/routing/directory.ts'
import type { Ready } from '../../../../core/ready.ts'
import { type ConversationRequest, converse } from '../openai/converse.ts'
import type { ProviderContext, ProviderRequest } from '../provider.ts'

/** Open models use chat completions and ignore the dialects of the channel. */
export function openModelRequest(
  ask: ProviderRequest,
  channel: LiveChannel,
  means: Pick<ProviderContext, 'media' | 'signatures'>,
): Ready<ConversationRequest> {
  return converse(ask, { ...channel, settings: { ...channel.settings, dialects: ['openai-chat'] } }, means)
}
