import { isObject, type Json, numberOf, objectsOf, textOf } from '../../json.ts'
import { automaticChoice, choiceWithTools, maxTokensName, type Rule, systemRole } from '../openai/vendor-body.ts'

const TOP_P_MIN = 0.01
const TOP_P_MAX = 0.99
const TEMPERATURE_MAX = 0.99

/** 1 is refused, and 0. */
const topP: Rule = (body) => {
  const value = numberOf(body.top_p)
  if (value === undefined || (value >= TOP_P_MIN && value <= TOP_P_MAX)) return body
  return { ...body, top_p: Math.min(Math.max(value, TOP_P_MIN), TOP_P_MAX) }
}

/** Between 0 and 1, both excluded: 0 is said by not sampling at all. */
const temperature: Rule = (body) => {
  const value = numberOf(body.temperature)
  if (value === undefined || (value > 0 && value <= TEMPERATURE_MAX)) return body
  if (value > 0) return { ...body, temperature: TEMPERATURE_MAX }
  const { temperature: _, ...rest } = body
  return { ...rest, do_sample: rest.do_sample ?? false }
}

/** A list of one. */
const oneStop: Rule = (body) => {
  const { stop, ...rest } = body
  if (stop === undefined || (Array.isArray(stop) && stop.length === 1)) return body
  const [first] = (Array.isArray(stop) ? stop : [stop]).filter((text) => typeof text === 'string' && text.trim() !== '')
  return first === undefined ? rest : { ...rest, stop: [first] }
}

/** Thinking is on or off here; how hard is not asked. */
const thinking: Rule = (body) => {
  const { reasoning_effort: effort, ...rest } = body
  if (effort === undefined || effort === null) return body
  return { thinking: { type: effort === 'none' ? 'disabled' : 'enabled' }, ...rest }
}

/** An image in base64 goes without what makes it a `data:` URL. */
const bareImages: Rule = (body) => {
  const messages = objectsOf(body.messages)
  if (!messages.some(({ content }) => objectsOf(content).some(isPrefixed))) return body
  return {
    ...body,
    messages: messages.map((message) =>
      Array.isArray(message.content)
        ? { ...message, content: message.content.map((part) => (isPrefixed(part) ? withoutPrefix(part) : part)) }
        : message,
    ),
  }
}

function isPrefixed(part: unknown): part is Json {
  if (!isObject(part) || part.type !== 'image_url') return false
  return typeof part.image_url === 'string' || urlOf(part).startsWith('data:')
}

function withoutPrefix(part: Json): Json {
  const url = urlOf(part)
  const named = isObject(part.image_url) ? part.image_url : {}
  return { ...part, image_url: { ...named, url: url.startsWith('data:') ? url.slice(url.indexOf(',') + 1) : url } }
}

function urlOf({ image_url }: Json): string {
  return textOf(isObject(image_url) ? image_url.url : image_url) ?? ''
}

/** What Zhipu wants otherwise than OpenAI. https://docs.bigmodel.cn/api-reference */
export const ZHIPU_RULES: readonly Rule[] = [
  systemRole,
  maxTokensName,
  choiceWithTools,
  automaticChoice,
  topP,
  temperature,
  oneStop,
  thinking,
  bareImages,
]
