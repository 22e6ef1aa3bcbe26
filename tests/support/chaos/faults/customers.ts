import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, ask, post } from '../../chat.ts'
import { customer, MODEL, priceOf, setPrices } from '../../gateway.ts'
import {
  completion,
  DONE,
  type Exchange,
  event,
  say,
  sendJson,
  startStream,
  startUpstream,
  stopChunk,
  usage,
  usageChunk,
} from '../../hand-made-upstream.ts'
import type { Person, TestToolkit } from '../../toolkit.ts'
import type { Place } from './processes.ts'

const BY_CALL = 'by-call'
const PROMPT_TOKENS = 40
const COMPLETION_TOKENS = 12
/**
 * Output limit of requests, which determines their hold. The hold is above the price, so that no balance ends below
 * zero.
 */
const MAX_TOKENS = 24
/** The price of a complete reply by model. */
export const PRICES: Readonly<Record<string, number>> = {
  [BY_CALL]: 50,
  [MODEL]: priceOf(PROMPT_TOKENS, COMPLETION_TOKENS),
}
const MODELS = Object.keys(PRICES)
export const CODE_QUOTA = 4_000
const CODES = 100
const PLENTY = 1_000_000_000

/** A user with one token, and their initial amounts. */
export interface Customer {
  readonly person: Person
  readonly key: string
  readonly tokenId: number
  readonly quota: number
  /** The token's budget; undefined if it has none. */
  readonly budget: number | undefined
  /** Whether the balance runs out during a run and is refilled with codes. */
  readonly isScarce: boolean
  /** For the management API; only for customers who redeem codes. */
  readonly accessToken: string
}

/**
 * How a request ended for its client. `short`: a complete stream that reports that the quota ran out. `broken`: a reply
 * that began and did not end. `silent`: no reply.
 */
export type End = 'whole' | 'short' | 'broken' | 'rejected' | 'silent'

export interface Seen {
  readonly customer: Customer
  readonly model: string
  readonly end: End
  readonly status: number
  /** Empty without a reply. */
  readonly requestId: string
  /** The body of a rejected request's reply. */
  readonly text: string
  readonly ms: number
}

export interface Code {
  readonly key: string
  readonly customer: Customer
  isConfirmed: boolean
}

/** Starts a slow upstream with fixed usage, which streams in pieces or delays its body. */
async function startSlowUpstream(random: () => number, slowMsMax: number) {
  const upstream = await startUpstream(async (exchange: Exchange) => {
    upstream.seen.length = 0
    const isSlow = random() < 0.05
    const ms = isSlow ? random() * slowMsMax : 5 + random() * Math.min(300, slowMsMax / 20)
    if (exchange.body.stream !== true) {
      await sleep(ms)
      return sendJson(exchange, completion('one two three', usage(PROMPT_TOKENS, COMPLETION_TOKENS)))
    }
    startStream(exchange)
    for (let piece = 0; piece < 6 && !exchange.response.destroyed; piece++) {
      exchange.response.write(event(say('word ')))
      await sleep(ms / 6)
    }
    exchange.response.end(event(stopChunk()) + event(usageChunk(usage(PROMPT_TOKENS, COMPLETION_TOKENS))) + DONE)
  })
  return upstream
}

/**
 * Creates customers of every kind over one upstream, and records their replies. `slowMsMax`: maximum duration of a reply;
 * `patienceMs`: the clients' timeout.
 */
export async function openCustomers(
  fixture: TestToolkit,
  { random, slowMsMax, patienceMs }: { random: () => number; slowMsMax: number; patienceMs: number },
) {
  const { toolkit, root } = fixture
  const upstream = await startSlowUpstream(random, slowMsMax)
  await setPrices(fixture)
  await toolkit.options.set(root, 'ModelPrice', JSON.stringify({ [BY_CALL]: 50 / 500_000 }))
  await fixture.channel({ base_url: upstream.url, models: MODELS.join(',') })

  async function open(quota: number, { budget, isScarce = false }: { budget?: number; isScarce?: boolean } = {}) {
    const token = budget === undefined ? {} : { token: { unlimited_quota: false, remain_quota: budget } }
    const { person, key, bought } = await customer(fixture, { user: { quota }, ...token })
    const accessToken = isScarce ? await toolkit.accessTokens.create(person) : ''
    return { person, key, tokenId: bought.id, quota, budget, isScarce, accessToken } satisfies Customer
  }
  const customers: readonly Customer[] = [
    await open(PLENTY),
    await open(PLENTY, { budget: PLENTY }),
    await open(PLENTY, { budget: 20_000 }),
    await open(8_000, { isScarce: true }),
    await open(8_000, { isScarce: true, budget: PLENTY }),
  ]
  // Created before the faults begin, because they would affect this process as well.
  const unused = await toolkit.redemption.create(root, { name: 'gift', quota: CODE_QUOTA, count: CODES })
  const seen: Seen[] = []
  const codes: Code[] = []

  async function relay({ url }: Pick<Place, 'url'>, buyer = draw(customers, random)): Promise<Seen> {
    const model = draw(MODELS, random)
    const stream = random() < 0.5
    const isHasty = random() < 0.1
    const signal = AbortSignal.timeout(isHasty ? Math.round(50 + random() * 2000) : patienceMs)
    const body = ask(model, { stream, max_tokens: MAX_TOKENS })
    const startedAt = performance.now()
    const answer = await post({ url, key: buyer.key, body, signal }).catch(() => undefined)
    const one: Seen = {
      customer: buyer,
      model,
      end: endOf(answer),
      status: answer?.status ?? 0,
      requestId: answer?.requestId ?? '',
      text: answer && answer.status >= 400 ? answer.text : '',
      ms: performance.now() - startedAt,
    }
    seen.push(one)
    return one
  }

  /** Redeems a code. Retries until the outcome is known, because a lost reply leaves the outcome unknown. */
  async function redeem(place: Pick<Place, 'url'>, signal: AbortSignal): Promise<void> {
    const scarce = customers.filter(({ isScarce }) => isScarce)
    const buyer = draw(scarce, random)
    const key = unused.pop()
    if (key === undefined) return
    const code: Code = { key, customer: buyer, isConfirmed: false }
    codes.push(code)
    while (!signal.aborted && !code.isConfirmed) {
      const reply = await fetch(`${place.url}/api/user/topup`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: buyer.accessToken,
          'tollgate-user': String(buyer.person.id),
        },
        body: JSON.stringify({ key: code.key }),
        signal: AbortSignal.timeout(patienceMs),
      })
        .then((response) => response.json() as Promise<{ success: boolean; message: string }>)
        .catch(() => undefined)
      if (reply?.success) code.isConfirmed = true
      else if (reply && /used/.test(reply.message)) return
      else await sleep(500)
    }
  }

  return {
    customers,
    seen,
    codes,
    relay,
    /** Sends requests to all places from `clients` clients until `signal`; resolves after each client's last outcome. */
    async spend(places: readonly Place[], { clients, signal }: { clients: number; signal: AbortSignal }) {
      const sending = Array.from({ length: clients }, async () => {
        while (!signal.aborted) {
          const { end } = await relay(draw(places, random))
          await sleep((end === 'whole' ? 20 : 200) + random() * 150)
        }
      })
      const redeeming = async () => {
        while (!signal.aborted) {
          await redeem(draw(places, random), signal)
          await sleep(random() * 4000, undefined, { signal }).catch(() => {})
        }
      }
      await Promise.all([...sending, redeeming()])
    },
  }
}

export type Customers = Awaited<ReturnType<typeof openCustomers>>

const draw = <T>(values: readonly T[], random: () => number): T => values[Math.floor(random() * values.length)] as T

function endOf(answer: Answer | undefined): End {
  if (!answer) return 'silent'
  if (answer.status !== 200) return 'rejected'
  if (!answer.complete || answer.events.some(({ error }) => error)) return 'broken'
  return answer.text.includes('"finish_reason":"length"') ? 'short' : 'whole'
}
