import { refuseFeatures } from '../../conversation/client-fields.ts'
import type { CallPart, Conversation, Part, Turn } from '../../conversation/conversation.ts'
import { withInlineMedia } from '../../conversation/media.ts'
import {
  mergeTurns,
  pairResults,
  splitSystem,
  systemAsUser,
  textOfParts,
  withoutBlanks,
} from '../../conversation/turns.ts'
import { refuse } from '../../dialects/refuse.ts'
import type { Json } from '../../json.ts'
import type { ProviderContext } from '../provider.ts'
import { isGoogleFile, type PartOptions, writePart } from './content-parts.ts'
import { generationConfig, googleExtras } from './generation-config.ts'
import { generationOf, requiresSignatures, supportsJsonSchema, supportsSystem } from './models.ts'
import type { GeminiSettings } from './settings.ts'
import { geminiToolFields, usesWebSearch } from './tools.ts'

interface GeminiContentOptions {
  /** The upstream's model name, without a thinking suffix (`splitThinkingSuffix`). */
  readonly model: string
  /** API version: `v1beta`, `v1`. */
  readonly version: string
  /** True for Vertex AI, which has no call ids. */
  readonly isVertex?: boolean
  readonly context: Pick<ProviderContext, 'download' | 'signatures'>
  readonly settings: GeminiSettings
}

interface WriteOptions extends PartOptions {
  readonly signatures: 'required' | 'optional'
}

/** Google's placeholder for the signature of a call. With it, the model continues without its earlier reasoning. */
const NO_SIGNATURE = 'skip_thought_signature_validator'
const EMPTY_TEXT = '(empty)'

/**
 * Returns the `generateContent` body for a conversation: https://ai.google.dev/api/generate-content. Downloads images
 * and files that Gemini cannot read by URL. Throws REQUEST_MALFORMED for unsupported requests, and MEDIA_REFUSED or
 * MEDIA_UNAVAILABLE if a download is rejected or fails.
 */
export async function contentBody(original: Conversation, options: GeminiContentOptions): Promise<Json> {
  const { model, version, context, settings } = options
  refuseFeatures(original, ['bias'])
  const conversation = await withInlineMedia(original, context, { keep: isGoogleFile })
  const unsignedCallIds = conversation.turns.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.kind === 'call' && part.signature === undefined ? [part.id] : [])),
  )
  await context.signatures.load?.(unsignedCallIds)
  checkImages(conversation, settings.imagesMax)
  const jsonSchema = supportsJsonSchema(model, version)
  if (conversation.format && usesWebSearch(conversation) && generationOf(model) < 3) {
    refuse('response_format cannot be combined with web search on this model; leave one of them out')
  }
  const config = generationConfig(conversation, { model, jsonSchema })
  const { cached_content: cachedContent } = googleExtras(conversation)
  return {
    ...contents(conversation.turns, options),
    ...geminiToolFields(conversation, { jsonSchema }),
    safetySettings: safetySettings(model, settings),
    ...(Object.keys(config).length > 0 && { generationConfig: config }),
    ...(typeof cachedContent === 'string' && { cachedContent }),
  }
}

function checkImages({ turns }: Conversation, max: number): void {
  const images = turns.flatMap(({ parts }) => parts).filter(({ kind }) => kind === 'image').length
  if (max > 0 && images > max) refuse(`messages have ${images} images; this upstream takes ${max} at most`)
}

/**
 * Returns `systemInstruction` and `contents`. Roles alternate, the first content is the user's, and the content after a
 * call has its result.
 */
function contents(turns: readonly Turn[], options: GeminiContentOptions): Json {
  const { system, rest } = splitSystem(withoutBlanks(turns))
  // If there are no other turns, the instructions become the user's turn.
  const hasSystemInstruction = rest.length > 0 && supportsSystem(options.model)
  const instructions = system.flatMap(({ parts }) => parts)
  const dialog = [...(hasSystemInstruction ? [] : systemAsDialog(system, rest.length > 0)), ...systemAsUser(rest)]
  const writeOptions = writeOptionsOf(options)
  const wireContents = pairResults(dialog).flatMap((turn) => contentOf(turn, writeOptions))
  if (wireContents[0]?.role !== 'user')
    wireContents.unshift({ role: 'user', parts: [{ text: wireContents.length ? '...' : EMPTY_TEXT }] })
  return {
    ...(hasSystemInstruction &&
      instructions.length > 0 && { systemInstruction: { parts: instructionParts(instructions) } }),
    contents: wireContents,
  }
}

/** Converts instructions to a user turn. If `hasLaterTurns` is true, adds a turn in which the model agrees. */
function systemAsDialog(system: readonly Turn[], hasLaterTurns: boolean): Turn[] {
  const turns = mergeTurns(systemAsUser(system))
  if (turns.length === 0 || !hasLaterTurns) return turns
  return [...turns, { role: 'assistant', parts: [{ kind: 'text', text: 'Okay' }] }]
}

function instructionParts(parts: readonly Part[]): Json[] {
  return parts.flatMap((part) => {
    const text = textOfParts([part])
    return text ? [{ text }] : []
  })
}

function contentOf({ role, parts }: Turn, options: WriteOptions): Json[] {
  const write = (part: Part) => writePart(part, options)
  const calls = parts.filter(({ kind }) => kind === 'call').flatMap(write)
  const results = parts.filter(({ kind }) => kind === 'result').flatMap(write)
  const wireParts = [
    ...results.filter((part) => 'functionResponse' in part),
    // Images and other media of the results follow all results.
    ...results.filter((part) => !('functionResponse' in part)),
    ...parts.filter(({ kind }) => kind !== 'call' && kind !== 'result').flatMap(write),
    // Calls are last, because a call must directly precede its result.
    ...withPlaceholderSignature(calls, options),
  ]
  return wireParts.length ? [{ role: role === 'assistant' ? 'model' : 'user', parts: wireParts }] : []
}

/** Adds the placeholder to an unsigned first call if the model requires a signature. Other calls need no signature. */
function withPlaceholderSignature(calls: readonly Json[], { signatures }: WriteOptions): Json[] {
  return calls.map((call, at) =>
    at === 0 && signatures === 'required' ? { thoughtSignature: NO_SIGNATURE, ...call } : call,
  )
}

function writeOptionsOf({ model, version, isVertex = false, context }: GeminiContentOptions): WriteOptions {
  return {
    hasCallIds: !isVertex && version !== 'v1',
    signatureOf: ({ id, signature }: CallPart) => signature ?? context.signatures.get(id),
    signatures: requiresSignatures(model) ? 'required' : 'optional',
  }
}

const CATEGORIES = [
  'HARM_CATEGORY_HARASSMENT',
  'HARM_CATEGORY_HATE_SPEECH',
  'HARM_CATEGORY_SEXUALLY_EXPLICIT',
  'HARM_CATEGORY_DANGEROUS_CONTENT',
] as const
const CIVIC = 'HARM_CATEGORY_CIVIC_INTEGRITY'

/** Returns thresholds of all categories. The default is `OFF`, or `BLOCK_NONE` for old models and civic integrity. */
function safetySettings(model: string, { safety }: Pick<GeminiSettings, 'safety'>): Json[] {
  const threshold = safety ?? (generationOf(model) >= 2 ? 'OFF' : 'BLOCK_NONE')
  return [
    ...CATEGORIES.map((category) => ({ category, threshold })),
    { category: CIVIC, threshold: threshold === 'OFF' ? 'BLOCK_NONE' : threshold },
  ]
}
