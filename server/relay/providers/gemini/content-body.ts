import type { CallPart, Conversation, Part, Turn } from '../../conversation/conversation.ts'
import { withInlineMedia } from '../../conversation/media.ts'
import {
  merged,
  pairedResults,
  splitSystem,
  systemAsUser,
  textOfParts,
  withoutBlanks,
} from '../../conversation/turns.ts'
import { refuse } from '../../dialects/refuse.ts'
import type { Json } from '../../json.ts'
import type { Means } from '../provider.ts'
import { isGoogleFile, type PartOptions, writePart } from './content-parts.ts'
import { generationConfig, googleExtras } from './generation-config.ts'
import { demandsSignatures, generationOf, takesJsonSchema, takesSystem } from './models.ts'
import { safetySettings } from './safety.ts'
import type { GeminiSettings } from './settings.ts'
import { searches, toolFields } from './tools.ts'

export interface ContentOptions {
  /** The upstream's name of the model, without a suffix. */
  readonly model: string
  /** Of the API: `v1beta`, `v1`. */
  readonly version: string
  /** At Vertex AI, which has no ids for calls. */
  readonly vertex?: boolean
  readonly means: Pick<Means, 'media' | 'signatures'>
  readonly settings: GeminiSettings
}

interface WriteOptions extends PartOptions {
  readonly signatures: 'demanded' | 'optional'
}

/** What Google documents for calls whose signature is lost: the model goes on without the thought behind them. */
const NO_SIGNATURE = 'skip_thought_signature_validator'
const EMPTY = '(empty)'

/**
 * The body of `generateContent` for a conversation: https://ai.google.dev/api/generate-content. Images and files that Gemini
 * cannot read by address are downloaded. Throws REQUEST_MALFORMED for what it cannot be asked, MEDIA_*.
 */
export async function contentBody(asked: Conversation, options: ContentOptions): Promise<Json> {
  const { model, version, means, settings } = options
  const conversation = await withInlineMedia(asked, means, { keep: isGoogleFile })
  const unsigned = conversation.turns.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.kind === 'call' && part.signature === undefined ? [part.id] : [])),
  )
  await means.signatures.load?.(unsigned)
  checkImages(conversation, settings.imagesMax)
  const jsonSchema = takesJsonSchema(model, version)
  if (conversation.format && searches(conversation) && generationOf(model) < 3) {
    refuse('response_format cannot be combined with web search on this model; leave one of them out')
  }
  const config = generationConfig(conversation, { model, jsonSchema })
  const { cached_content: cachedContent } = googleExtras(conversation)
  return {
    ...contents(conversation.turns, options),
    ...toolFields(conversation, { jsonSchema }),
    safetySettings: safetySettings(model, settings),
    ...(Object.keys(config).length > 0 && { generationConfig: config }),
    ...(typeof cachedContent === 'string' && { cachedContent }),
  }
}

function checkImages({ turns }: Conversation, max: number): void {
  const images = turns.flatMap(({ parts }) => parts).filter(({ kind }) => kind === 'image').length
  if (max > 0 && images > max) refuse(`messages have ${images} images; this upstream takes ${max} at most`)
}

/** `systemInstruction` and `contents`: roles alternate, the user speaks first, each call has its result in the next turn. */
function contents(turns: readonly Turn[], options: ContentOptions): Json {
  const { system, rest } = splitSystem(withoutBlanks(turns))
  // Instructions alone are what somebody wants an answer to.
  const instructs = rest.length > 0 && takesSystem(options.model)
  const instructions = system.flatMap(({ parts }) => parts)
  const said = [...(instructs ? [] : asTalk(system, rest.length > 0)), ...systemAsUser(rest)]
  const parts = partOptions(options)
  const written = pairedResults(said).flatMap((turn) => contentOf(turn, parts))
  if (written[0]?.role !== 'user') written.unshift({ role: 'user', parts: [{ text: written.length ? '...' : EMPTY }] })
  return {
    ...(instructs && instructions.length > 0 && { systemInstruction: { parts: instructionParts(instructions) } }),
    contents: written,
  }
}

/** Instructions for a model that knows no such thing, and its word that it heard them. */
function asTalk(system: readonly Turn[], answered: boolean): Turn[] {
  const turns = merged(systemAsUser(system))
  if (turns.length === 0 || !answered) return turns
  return [...turns, { role: 'assistant', parts: [{ kind: 'text', text: 'Okay' }] }]
}

function instructionParts(parts: readonly Part[]): Json[] {
  return parts.flatMap((part) => {
    const text = textOfParts([part])
    return text ? [{ text }] : []
  })
}

function contentOf({ role, parts }: Turn, options: WriteOptions): Json[] {
  // Text first: a call must be the last thing before its result.
  const calls = parts.filter(({ kind }) => kind === 'call')
  const others = parts.filter(({ kind }) => kind !== 'call')
  const results = others.filter(({ kind }) => kind === 'result')
  const rest = others.filter(({ kind }) => kind !== 'result')
  const written = [...ordered(results, options), ...rest.flatMap((part) => writePart(part, options))]
  written.push(
    ...signed(
      calls.flatMap((part) => writePart(part, options)),
      options,
    ),
  )
  return written.length ? [{ role: role === 'assistant' ? 'model' : 'user', parts: written }] : []
}

/** Of calls that are made at once the first has the signature. */
function signed(calls: readonly Json[], { signatures }: WriteOptions): Json[] {
  return calls.map((call, at) =>
    at === 0 && signatures === 'demanded' ? { thoughtSignature: NO_SIGNATURE, ...call } : call,
  )
}

/** All results in one row, and what came with them, such as images, behind. */
function ordered(results: readonly Part[], options: PartOptions): Json[] {
  const written = results.flatMap((part) => writePart(part, options))
  return [
    ...written.filter((part) => 'functionResponse' in part),
    ...written.filter((part) => !('functionResponse' in part)),
  ]
}

function partOptions({ model, version, vertex = false, means }: ContentOptions): WriteOptions {
  return {
    ids: !vertex && version !== 'v1',
    signatureOf: ({ id, signature }: CallPart) => signature ?? means.signatures.get(id),
    signatures: demandsSignatures(model) ? 'demanded' : 'optional',
  }
}
