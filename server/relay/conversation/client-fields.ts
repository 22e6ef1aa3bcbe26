import type { DialectName } from '../../../core/channels/operations.ts'
import { refuse } from '../dialects/refuse.ts'
import type { Conversation } from './conversation.ts'

/** What changes a reply so much that a client must not get another one instead. */
export type ReplyFeature = 'choices' | 'modalities' | 'logprobs'

/** Names of fields in formats that do not have those of chat completions. */
const FIELDS: Partial<Record<DialectName, Record<ReplyFeature, string>>> = {
  gemini: {
    choices: 'generationConfig.candidateCount',
    modalities: 'generationConfig.responseModalities',
    logprobs: 'generationConfig.responseLogprobs',
  },
  'openai-responses': { choices: 'n', modalities: 'modalities', logprobs: 'top_logprobs' },
}
const CHAT_FIELDS: Record<ReplyFeature, string> = { choices: 'n', modalities: 'modalities', logprobs: 'logprobs' }

/** Throws REQUEST_MALFORMED, with the name of the client's own field, for features that the upstream's format lacks. */
export function refuseFeatures(
  conversation: Pick<Conversation, 'client' | ReplyFeature>,
  missing: readonly ReplyFeature[],
): void {
  const { client, choices = 1, modalities = [], logprobs } = conversation
  const field = (feature: ReplyFeature) => (client && FIELDS[client]?.[feature]) ?? CHAT_FIELDS[feature]
  if (choices > 1 && missing.includes('choices'))
    refuse(`${field('choices')} must be 1: this model gives one reply at a time`)
  const other = modalities.find((modality) => modality !== 'text')
  if (other !== undefined && missing.includes('modalities'))
    refuse(`${field('modalities')} has "${other}": this model only writes text`)
  if (logprobs && missing.includes('logprobs'))
    refuse(`${field('logprobs')} is not supported: this model reports no probabilities; leave it out`)
}
