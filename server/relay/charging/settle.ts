import type { Operation } from '../../../core/channels/operations.ts'
import { GatewayError } from '../../../core/errors.ts'
import type { Usage } from '../../../core/pricing/prices.ts'
import type { Ready } from '../../../core/ready.ts'
import type { Toolkit } from '../../../core/toolkit.ts'
import type { Admitted } from '../admission/admission.ts'
import { estimatePrompt } from '../counting/prompt.ts'
import type { Tokenizer } from '../counting/tokenizer.ts'
import { ENDPOINTS } from '../endpoints/endpoints.ts'
import { endpointBill } from '../endpoints/receipt.ts'
import { chargedCalls } from '../hosted/charged-calls.ts'
import { type Bill, toBill } from './bill.ts'
import { type AnsweredRelay, type End, toCharge } from './charge.ts'
import type { Meter } from './meter.ts'
import { usesAudio } from './price-text.ts'
import { plainUsage } from './usage.ts'

/**
 * Charges a relay for what was used: as the upstream reported it, else counted here. Resolves when it is committed. Throws
 * DATABASE_UNAVAILABLE if the charge could not be covered: the reply must not be completed.
 */
export function settleRelay(
  relay: AnsweredRelay,
  end: End,
  toolkit: Pick<Toolkit, 'ledger' | 'pricing'> & { tokenizer: Tokenizer },
): Promise<Usage> {
  const bill = billOf(relay, end, toolkit)
  return bill instanceof Promise
    ? bill.then((made) => writeBill(relay, end, made, toolkit))
    : writeBill(relay, end, bill, toolkit)
}

function writeBill(
  relay: AnsweredRelay,
  end: End,
  bill: Bill,
  { ledger, pricing }: Pick<Toolkit, 'ledger' | 'pricing'>,
): Promise<Usage> {
  const charge = toCharge(relay, { bill, end, priceVersion: pricing.version, endedAt: Date.now() })
  return ledger.settle(relay.hold, charge).then((outcome) => {
    // Its hold was released meanwhile and the balance is spent: the client must not get the end.
    if (outcome === 'lost') throw new GatewayError('DATABASE_UNAVAILABLE')
    return bill.usage
  })
}

function billOf(
  relay: AnsweredRelay,
  end: End,
  { tokenizer, pricing }: Pick<Toolkit, 'pricing'> & { tokenizer: Tokenizer },
): Ready<Bill> {
  const { operation } = relay.admitted.entry
  if (operation !== 'chat' && operation !== 'realtime') return billOfEndpoint(relay, operation, tokenizer)
  const tools = chargedCalls(relay, end, pricing)
  const bill = ({ usage, counted }: Used): Bill =>
    toBill(relay.admitted.price, usage, { counted, audio: usesAudio(usage), tools, other: undefined })
  const used = usageOf(relay, end, tokenizer)
  return used instanceof Promise ? used.then(bill) : bill(used)
}

async function billOfEndpoint(
  { admitted, meter }: AnsweredRelay,
  operation: Exclude<Operation, 'chat' | 'realtime'>,
  tokenizer: Tokenizer,
): Promise<Bill> {
  const { model, body, upload, price } = admitted
  const promptTokens = meter.usage ? 0 : await countPrompt(admitted, tokenizer)
  const ask = { model, body, upload }
  return endpointBill(ENDPOINTS[operation], {
    ask,
    price,
    reported: meter.usage,
    made: meter.made,
    promptTokens,
  })
}

/** A report of 1 token at most is not believed when there was more than this: it is of the prompt alone. */
const FEW_TOKENS = 8

/** What a conversation used, and whether some of it was counted here. */
interface Used {
  readonly usage: Usage
  readonly counted: boolean
}

function usageOf(relay: AnsweredRelay, end: End, tokenizer: Tokenizer): Ready<Used> {
  const { meter, isRead } = relay
  const reported = meter.usage
  const isWhole = end === 'complete' || isRead === true
  const believed = reported && isWhole && !(reported.completionTokens <= 1 && meter.textLength > FEW_TOKENS)
  return believed ? { usage: reported, counted: false } : countedUsage(relay, { end, isWhole }, tokenizer)
}

async function countedUsage(
  relay: AnsweredRelay,
  { end, isWhole }: { end: End; isWhole: boolean },
  tokenizer: Tokenizer,
): Promise<Used> {
  const { meter, admitted } = relay
  const reported = meter.usage
  const counted = await countUsage(admitted, meter, tokenizer)
  // What was reported before a stream broke, or with its start alone, says nothing of what came after the report.
  const hidden =
    isWhole || end !== 'client-gone' ? 0 : hiddenTokens(relay, { shown: counted.completionTokens, now: Date.now() })
  const enough = Math.max((reported?.completionTokens ?? 0) - hidden, isWhole ? FEW_TOKENS : 0)
  if (reported && counted.completionTokens <= enough && (reported.promptTokens || isWhole)) {
    return { usage: reported, counted: false }
  }
  // Some tell of the prompt with their last event, and say 0 until then.
  const promptTokens = reported?.promptTokens || counted.promptTokens
  const completionTokens = Math.max(reported?.completionTokens ?? 0, counted.completionTokens + hidden)
  return { usage: { ...counted, ...reported, promptTokens, completionTokens }, counted: true }
}

/** So many tokens a fast model writes in a second. */
const TOKENS_PER_SECOND = 100

/**
 * Returns the reasoning that a client did not wait for and nobody reported: the share of the output limit that the time stands
 * for, at the speed of a fast model, without what was shown.
 */
export function hiddenTokens(
  { hidesReasoning, coveredTokens, startedAt }: Pick<AnsweredRelay, 'hidesReasoning' | 'coveredTokens' | 'startedAt'>,
  { shown, now }: { shown: number; now: number },
): number {
  if (!hidesReasoning) return 0
  const written = Math.min(coveredTokens, Math.ceil(((now - startedAt) / 1000) * TOKENS_PER_SECOND))
  return Math.max(0, written - shown)
}

async function countUsage(admitted: Admitted, meter: Meter, tokenizer: Tokenizer): Promise<Usage> {
  const [promptTokens, completionTokens] = await Promise.all([
    countPrompt(admitted, tokenizer),
    tokenizer.count(admitted.model, [meter.text]),
  ])
  return plainUsage(promptTokens, completionTokens + meter.otherTokens)
}

async function countPrompt({ model, prompt }: Admitted, tokenizer: Tokenizer): Promise<number> {
  return (await tokenizer.count(model, prompt.texts)) + estimatePrompt({ ...prompt, texts: [] }, model)
}
