import type { LiveChannel } from '../../../../core/channels/directory.ts'
import type { Ready } from '../../../../core/ready.ts'
import { converse, type Said } from '../openai/converse.ts'
import type { Ask, Means } from '../provider.ts'

/** Open models speak OpenAI's chat completions, whatever else the channel can be asked. */
export function sayToOpenModel(
  ask: Ask,
  channel: LiveChannel,
  means: Pick<Means, 'media' | 'signatures'>,
): Ready<Said> {
  return converse(ask, { ...channel, settings: { ...channel.settings, dialects: ['openai-chat'] } }, means)
}
