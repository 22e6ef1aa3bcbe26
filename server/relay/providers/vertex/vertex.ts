import type { LiveChannel } from '../../../../core/channels/directory.ts'
import { GatewayError } from '../../../../core/errors.ts'
import { isObject, type Json, numberOf, objectOf, parseObject } from '../../json.ts'
import { withoutBuckets } from '../gemini/buckets.ts'
import { contentBody } from '../gemini/content-body.ts'
import { contentReader } from '../gemini/content-reader.ts'
import { googleFailure } from '../gemini/errors.ts'
import { refuseOtherPainters, translatingReader, withReasoning } from '../gemini/gemini.ts'
import { imagesReply, imagesRequest } from '../gemini/images.ts'
import { splitThinkingSuffix } from '../gemini/models.ts'
import { nativeContent } from '../gemini/native-body.ts'
import { GEMINI_SETTINGS, type GeminiSettings } from '../gemini/settings.ts'
import type { Ask, Means, Plan, Provider } from '../provider.ts'
import { openModelsAddress, publishedAddress, versionOf } from './address.ts'
import { claudeBody, claudeReader, vertexClaude } from './claude.ts'
import { type Door, openDoor, requestThrough } from './door.ts'
import { embeddingsReply, embeddingsRequests } from './embeddings.ts'
import { sayToOpenModel } from './open-models.ts'
import { withRoles } from './roles.ts'

/** Vertex AI: Google's models, Claude and open models behind one account. https://cloud.google.com/vertex-ai/generative-ai/docs */
export const vertex: Provider = {
  failure: googleFailure,
  async plan(asked, channel, means) {
    const ask = kindOf(asked.model) === 'claude' ? asked : withoutBuckets(asked, channel)
    const planned = planFor(ask)
    const door = await openDoor(channel, ask, means)
    const plan = await planned({ ask, channel, means, settings: means.gemini ?? GEMINI_SETTINGS, door })
    return door.credential ? { ...plan, credential: door.credential } : plan
  },
  async countTokens(ask, channel, means) {
    const door = await openDoor(channel, ask, means)
    const count = kindOf(ask.model) === 'claude' ? countClaude : countGemini
    const request = await count({ ask, channel, means, settings: means.gemini ?? GEMINI_SETTINGS, door })
    if (!request) return undefined
    const { status, body } = await means.call(requestThrough(door, { ...ask, stream: false }, request))
    const counted = objectOf(parseObject(body.toString('utf8')))
    return status === 200 ? numberOf(counted.totalTokens ?? counted.input_tokens) : undefined
  },
}

interface Parts {
  readonly ask: Ask
  readonly channel: LiveChannel
  readonly means: Means
  readonly settings: GeminiSettings
  readonly door: Door
}
type Planner = (parts: Parts) => Plan | Promise<Plan>

type Kind = 'claude' | 'google' | 'open'

/** Whose model it is goes by its name. */
function kindOf(model: string): Kind {
  if (model.startsWith('claude')) return 'claude'
  if (/gemini|imagen|embedding/.test(model)) return 'google'
  return /\/|llama/.test(model) ? 'open' : 'google'
}

const CHATS: Record<Kind, Planner> = { claude: planClaude, google: planGemini, open: planOpenModel }

function planFor({ operation, model }: Ask): Planner {
  if (operation === 'chat') return CHATS[kindOf(model)]
  if (operation === 'embeddings') return planEmbeddings
  if (operation === 'images') return planImages
  throw new GatewayError('OPERATION_UNSUPPORTED', { reason: `Vertex AI has no ${operation}` })
}

/** Both versions of Vertex AI know JSON Schema where the model does. */
const CONTENT_VERSION = 'v1beta1'

async function planGemini({ ask, means, settings, door }: Parts): Promise<Plan> {
  const { model, reasoning } = splitThinkingSuffix(ask.model)
  const method = ask.stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
  const url = door.google({ model, method, version: versionOf(model) })
  if (ask.dialect === 'gemini') {
    const body = nativeContent(withRoles(ask), { model, reasoning })
    const request = requestThrough(door, ask, { url, body })
    return { request, native: true, renamesModel: model !== ask.requestedModel, reader: contentReader() }
  }
  const conversation = withReasoning(ask.conversation(), reasoning)
  const options = { model, version: CONTENT_VERSION, vertex: true, means, settings }
  const body = JSON.stringify(await contentBody(conversation, options))
  return { request: requestThrough(door, ask, { url, body }), reader: translatingReader(conversation, means) }
}

async function planClaude({ ask, means, door }: Parts): Promise<Plan> {
  const model = vertexClaude(ask.model)
  const method = ask.stream ? 'streamRawPredict' : 'rawPredict'
  const url = publishedAddress(door.place(), { publisher: 'anthropic', model, method })
  const body = JSON.stringify(await claudeBody(ask, means))
  const native = ask.dialect === 'anthropic-messages'
  return {
    request: requestThrough(door, ask, { url, body }),
    native,
    ...(native && { adapted: true, renamesModel: true }),
    reader: claudeReader(ask, means),
  }
}

async function planOpenModel({ ask, channel, means, door }: Parts): Promise<Plan> {
  const { body, native, reader } = await sayToOpenModel(ask, channel, means)
  const request = requestThrough(door, ask, { url: openModelsAddress(door.place()), body })
  return { request, native, ...(native && { renamesModel: ask.model !== ask.requestedModel }), reader }
}

function planEmbeddings({ ask, means, door }: Parts): Plan {
  const { model } = ask
  const url = door.google({ model, method: 'predict', version: 'v1' })
  const [first, ...others] = embeddingsRequests(ask.body, model)
  const requestFor = (body: Json) => requestThrough(door, ask, { url, body: JSON.stringify(body) })
  return {
    request: requestFor(first),
    ...(others.length > 0 && {
      follow: async (reply) => {
        const predictions = [reply.predictions].flat()
        // One after another: an account's rate is counted in requests.
        for (const body of others) {
          const { status, body: answer } = await means.call(requestFor(body))
          if (status !== 200) throw new Error(`Vertex AI answered ${status} to one of several texts`)
          predictions.push(...[objectOf(parseObject(answer.toString('utf8'))).predictions].flat())
        }
        return { predictions }
      },
    }),
    convert: (reply) => embeddingsReply(reply, { model: ask.requestedModel, asked: ask.body }),
  }
}

function planImages({ ask, means, door }: Parts): Plan {
  const { model } = ask
  refuseOtherPainters(model)
  const url = door.google({ model, method: 'predict', version: 'v1' })
  const body = JSON.stringify(imagesRequest(ask.body, model))
  return {
    request: requestThrough(door, ask, { url, body }),
    convert: (reply) => imagesReply(reply, Math.floor(means.now() / 1000)),
  }
}

interface Counting {
  readonly url: string
  readonly body: string
}

const COUNTED_BY_CLAUDE = ['messages', 'system', 'tools', 'tool_choice', 'thinking']

/** Claude's counter is one for all models, whose name is for once in the body. */
async function countClaude({ ask, means, door }: Parts): Promise<Counting> {
  const asked = await claudeBody({ ...ask, stream: false }, means)
  const counted = Object.entries(asked).filter(([name]) => COUNTED_BY_CLAUDE.includes(name))
  return {
    url: publishedAddress(door.place(), { publisher: 'anthropic', model: 'count-tokens', method: 'rawPredict' }),
    body: JSON.stringify({ model: vertexClaude(ask.model), ...Object.fromEntries(counted) }),
  }
}

async function countGemini({ ask, channel, means, settings, door }: Parts): Promise<Counting | undefined> {
  if (kindOf(ask.model) !== 'google') return undefined
  withoutBuckets(ask, channel)
  const { model } = splitThinkingSuffix(ask.model)
  const options = { model, version: CONTENT_VERSION, vertex: true, means, settings }
  const asked = ask.dialect === 'gemini' ? countedOf(ask) : await contentBody(ask.conversation(), options)
  const { contents, systemInstruction, tools } = asked
  return {
    url: door.google({ model, method: 'countTokens', version: versionOf(model) }),
    body: JSON.stringify({ contents, systemInstruction, tools }),
  }
}

/** What a client of Gemini's format wants counted: it may be a whole request inside another. */
function countedOf({ raw, body }: Ask): Json {
  const asked = isObject(body.generateContentRequest) ? body.generateContentRequest : body
  const { system_instruction, ...rest } = withRoles({ raw, body: asked }).body
  return { systemInstruction: system_instruction, ...rest }
}
