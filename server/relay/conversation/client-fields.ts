import type { DialectName } from '../../../core/channels/routing/operations.ts'
import { GatewayError } from '../../../core/errors.ts'
import { refuse } from '../dialects/refuse.ts'
import type { Conversation } from './conversation.ts'

/** Features that change a reply so much that a client must not get a reply without them. */
export type ReplyFeature = 'choices' | 'modalities' | 'logprobs'

/** Field names in formats that differ from chat completions. */
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
    throw new OneReplyOnly(`${field('choices')} must be 1: this model gives one reply at a time`)
  const other = modalities.find((modality) => modality !== 'text')
  if (other !== undefined && missing.includes('modalities'))
    refuse(`${field('modalities')} has "${other}": this model only writes text`)
  if (logprobs && missing.includes('logprobs'))
    refuse(`${field('logprobs')} is not supported: this model reports no probabilities; leave it out`)
}

/** The upstream returns one reply per request, so several replies require several requests. */
export class OneReplyOnly extends GatewayError {
  constructor(reason: string) {
    super('REQUEST_MALFORMED', { reason })
  }
}
