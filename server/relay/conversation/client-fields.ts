import type { DialectName } from '../../../core/channels/routing/operations.ts'
import { GatewayError } from '../../../core/errors.ts'
import { recordOf } from '../../../core/records.ts'
import { refuse } from '../dialects/refuse.ts'
import type { Conversation } from './conversation.ts'

/** Features of a request that the gateway must not ignore, because a reply without them would be useless. */
type ReplyFeature = 'choices' | 'modalities' | 'logprobs' | 'bias'

/** Names of the features' fields, in the formats that do not use the names of chat completions. */
const FIELDS: Partial<Record<DialectName, Record<ReplyFeature, string>>> = {
  gemini: {
    choices: 'generationConfig.candidateCount',
    modalities: 'generationConfig.responseModalities',
    logprobs: 'generationConfig.responseLogprobs',
    bias: 'logit_bias',
  },
  'openai-responses': { choices: 'n', modalities: 'modalities', logprobs: 'top_logprobs', bias: 'logit_bias' },
}
const CHAT_FIELDS: Record<ReplyFeature, string> = {
  choices: 'n',
  modalities: 'modalities',
  logprobs: 'logprobs',
  bias: 'logit_bias',
}

/**
 * Throws REQUEST_MALFORMED if a conversation uses a feature that the upstream's format lacks (`missing`). The error
 * names the field in the client's format.
 */
export function refuseFeatures(
  conversation: Pick<Conversation, 'client' | 'choices' | 'modalities' | 'logprobs'> &
    Partial<Pick<Conversation, 'extras'>>,
  missing: readonly ReplyFeature[],
): void {
  const { client, choices = 1, modalities = [], logprobs, extras } = conversation
  const field = (feature: ReplyFeature) => (client && FIELDS[client]?.[feature]) ?? CHAT_FIELDS[feature]
  if (choices > 1 && missing.includes('choices')) throw new OneReplyOnly(field('choices'))
  const other = modalities.find((modality) => modality !== 'text')
  if (other !== undefined && missing.includes('modalities'))
    refuse(`${field('modalities')} has "${other}": this model only writes text`, field('modalities'))
  if (logprobs && missing.includes('logprobs'))
    refuse(
      `${field('logprobs')} is not supported: this model reports no probabilities; leave it out`,
      field('logprobs'),
    )
  if (missing.includes('bias') && isBiased(extras?.logit_bias))
    refuse(`${field('bias')} is not supported: this model does not take it; leave it out`, field('bias'))
}

/**
 * Throws REQUEST_MALFORMED if the tool choice names only functions that the request does not declare. A format that
 * cannot force a function would then send no tools at all.
 */
export function refuseUnknownChoice({ client, tools, toolChoice, webSearch }: Conversation): void {
  const names = toolChoice?.names ?? []
  // Anthropic's clients may name the web search in the tool choice, but the web search is no declared function.
  if (names.length === 0 || webSearch) return
  const declared = new Set<unknown>(tools.flatMap(({ name, vendor }) => [name, vendor?.tool.name]))
  if (names.some((name) => declared.has(name))) return
  const field = client === 'gemini' ? 'toolConfig.functionCallingConfig.allowedFunctionNames' : 'tool_choice'
  refuse(`${field} names a function that is not in tools: ${names.join(', ')}`, field)
}

/** The error if a client requests several replies from an upstream that returns one reply per request. */
export class OneReplyOnly extends GatewayError {
  /** `field` is the name of the client's field for the number of replies. */
  constructor(readonly field: string) {
    super('REQUEST_MALFORMED', { reason: `${field} must be 1: this model gives one reply at a time`, param: field })
  }
}

/** Whether a bias changes anything. Many clients send an empty object or zeros. */
function isBiased(bias: unknown): boolean {
  return Object.values(recordOf(bias)).some((value) => Number(value) !== 0)
}
