import { isDeepStrictEqual } from 'node:util'
import type { TestGateway } from '../../support/gateway.ts'
import type { Client } from './clients.ts'
import {
  type Case,
  COMPLETION_TOKENS,
  ERROR_TEXT,
  EVIDENCE,
  type Feature,
  MEANT,
  type Meant,
  type Parsed,
  PROMPT_TOKENS,
} from './meant.ts'
import type { MockUpstreams } from './mock-upstreams.ts'
import { slugOf, type Upstream } from './upstreams.ts'

export interface Question {
  /** The newest charge that was looked at. */
  seen: { id: number }
  fixture: TestGateway & { mockUpstreams: MockUpstreams; key: string }
  dialect: string
  client: Client
  upstream: Upstream
}

/** What the client calls this upstream's model. */
export const modelOf = (upstream: Upstream): string => `matrix-${slugOf(upstream)}`

/** What is wrong with the answer to one case; undefined when nothing is. */
export async function problemWith(question: Question, asked: Case): Promise<string | undefined> {
  const { fixture, upstream } = question
  fixture.mockUpstreams.takeSent(slugOf(upstream))
  const answer = await ask(question, asked)
  const charge = await newCharge(question)
  if (asked.feature === 'error') return charge ? `charged ${JSON.stringify(charge)}` : problemWithError(answer)
  if (asked.feature === 'mid-stream break') {
    if (!('error' in answer)) return `threw nothing: ${JSON.stringify(answer)}`
    return charge && charge.prompt > 0 && charge.completion > 0 ? undefined : `charged ${JSON.stringify(charge)}`
  }
  if ('error' in answer) return `threw: ${answer.error.message}`
  const evidence = question.dialect === 'openai-completions' ? undefined : EVIDENCE[asked.feature]
  const sent = fixture.mockUpstreams.takeSent(slugOf(upstream))
  if (evidence && !evidence.every((some) => [some].flat().some((one) => sent.includes(one))))
    return `did not reach the upstream: ${sent.slice(0, 300)}`
  if (asked.feature === 'reasoning' && !upstream.thinksUnasked && !ASKS_FOR_THOUGHTS.test(sent)) {
    return `asked for no thoughts: ${sent.slice(0, 300)}`
  }
  const { promptTokens, completionTokens, ...said } = answer
  if (!isDeepStrictEqual(trimmed(said), meantFor(question, asked.feature))) return `said ${JSON.stringify(said)}`
  return problemWithCount(question, { charge, prompt: promptTokens, completion: completionTokens })
}

/** What the vendors call it. */
const ASKS_FOR_THOUGHTS =
  /"(reasoning|reasoning_effort|reasoningConfig|reasoning_config|thinking|thinkingConfig|enable_thinking|think|prompt_mode)":/

/** Vendors put line breaks around thoughts. */
function trimmed({ reasoning, ...said }: Meant): Meant {
  return { ...said, ...(reasoning !== undefined && { reasoning: reasoning.trim() }) }
}

function meantFor({ dialect, upstream }: Question, feature: Exclude<Feature, 'error'>): Meant {
  const own = dialect === 'openai-chat' && feature === 'reasoning' ? upstream.inChat?.reasoning : undefined
  return own ?? MEANT[feature]
}

/** What becomes of a feature that the vendor has no place for: refused with the reason, or left out. */
export async function fateOf(question: Question, asked: Case): Promise<'refused' | 'left out' | string> {
  const answer = await ask(question, asked)
  const charge = await newCharge(question)
  if (!('error' in answer)) return charge ? 'left out' : 'charged nothing'
  const { status, message } = answer.error as Error & { status?: number }
  return status === 400 && !charge ? 'refused' : `threw: ${message}`
}

async function ask({ fixture, client, upstream }: Question, asked: Case): Promise<Parsed | { error: Error }> {
  try {
    return await client({ ...asked, model: modelOf(upstream), url: fixture.url, key: fixture.key })
  } catch (error) {
    return { error: error as Error }
  }
}

function problemWithError(answer: object): string | undefined {
  if (!('error' in answer)) return `threw nothing: ${JSON.stringify(answer)}`
  const { message } = answer.error as Error
  return message.includes(ERROR_TEXT) ? undefined : `threw: ${message}`
}

interface Counts {
  prompt: number | undefined
  completion: number | undefined
}

/** Client and books have the upstream's own counts, or, where it tells none, the gateway's, marked as such. */
function problemWithCount(
  { dialect, upstream }: Question,
  { charge, ...told }: Counts & { charge: Charge | undefined },
): string | undefined {
  if (!charge) return 'charged nothing'
  const { prompt, completion, estimated } = charge
  if (upstream.tellsNoUsage) return estimated && prompt > 0 ? undefined : `charged ${JSON.stringify(charge)}`
  const own = dialect === 'openai-chat' ? upstream.inChat?.completionTokens : undefined
  const isRight = (counts: Counts, completionTokens = COMPLETION_TOKENS) =>
    counts.prompt === PROMPT_TOKENS && counts.completion === completionTokens
  if (estimated || !isRight({ prompt, completion })) return `charged ${JSON.stringify(charge)}`
  return isRight(told, own) ? undefined : `told the client ${told.prompt} and ${told.completion}`
}

interface Charge {
  prompt: number
  completion: number
  estimated: boolean
}

/** The newest charge for this upstream's model; undefined when there is none since the last look. */
async function newCharge({ fixture, upstream, seen }: Question): Promise<Charge | undefined> {
  const row = await fixture.toolkit.db
    .reader('logs')
    .whereNot({ type: 5 })
    .where({ model_name: modelOf(upstream) })
    .orderBy('id', 'desc')
    .first('id', 'prompt_tokens', 'completion_tokens', 'other')
  if (!row || row.id === seen.id) return undefined
  seen.id = row.id
  const { prompt_tokens, completion_tokens, other } = row
  return {
    prompt: prompt_tokens,
    completion: completion_tokens,
    estimated: (JSON.parse(other) as { estimated?: boolean }).estimated === true,
  }
}
