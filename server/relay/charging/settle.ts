import type { Operation } from '../../../core/channels/routing/operations.ts'
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
import { chargedPrice } from './charged-price.ts'
import type { Meter } from './meter.ts'
import { usesAudio } from './price-text.ts'
import { uncountedTokens } from './quota-to-hold.ts'
import { plainUsage } from './usage.ts'

/**
 * Charges a relay for the usage that the upstream reports, or else for the usage that is counted locally. Resolves
 * after the charge is stored. Rejects with DATABASE_UNAVAILABLE if the full charge cannot be stored after a failure of
 * the database. In this case, the end of the reply must not be sent.
 */
export function settleRelay(
  relay: AnsweredRelay,
  end: End,
  toolkit: Pick<Toolkit, 'ledger' | 'pricing'> & { tokenizer: Tokenizer },
): Promise<Usage> {
  const bill = billOf(relay, end, toolkit)
  return bill instanceof Promise
    ? bill.then((resolved) => writeBill(relay, end, resolved, toolkit))
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
  const bill = ({ usage, isEstimated }: BilledUsage): Bill =>
    toBill(chargedPrice(relay, usage.promptTokens), usage, {
      isEstimated,
      audio: usesAudio(usage),
      tools,
      other: undefined,
    })
  const usageResult = usageOf(relay, end, tokenizer)
  return usageResult instanceof Promise ? usageResult.then(bill) : bill(usageResult)
}

async function billOfEndpoint(
  relay: AnsweredRelay,
  operation: Exclude<Operation, 'chat' | 'realtime'>,
  tokenizer: Tokenizer,
): Promise<Bill> {
  const { admitted, meter } = relay
  const { model, body, upload } = admitted
  const countedPrompt = meter.usage ? 0 : await countPrompt(admitted, tokenizer)
  const ask = { model, body, upload }
  return endpointBill(ENDPOINTS[operation], {
    ask,
    price: chargedPrice(relay, meter.usage?.promptTokens ?? countedPrompt),
    reported: meter.usage,
    pieces: meter.pieces,
    promptTokens: countedPrompt,
  })
}

/**
 * Maximum length of a reply, in characters or counted tokens, for which a reported usage of at most one output token is
 * plausible.
 */
const TINY_REPLY_MAX = 8

/** The usage of a conversation, and whether a part of the usage was counted locally. */
interface BilledUsage {
  readonly usage: Usage
  readonly isEstimated: boolean
}

function usageOf(relay: AnsweredRelay, end: End, tokenizer: Tokenizer): Ready<BilledUsage> {
  const { meter, completedAfterDisconnect } = relay
  const reported = meter.usage
  const isWhole = end === 'complete' || completedAfterDisconnect === true
  const isPlausible =
    reported &&
    isWhole &&
    // Every prompt has tokens, so 0 means that the upstream reported no prompt tokens, or an invalid number.
    reported.promptTokens > 0 &&
    !(reported.completionTokens <= 1 && meter.textLength > TINY_REPLY_MAX)
  return isPlausible ? { usage: reported, isEstimated: false } : usageByCount(relay, { end, isWhole }, tokenizer)
}

/** Counts the usage, but returns the reported usage if the reported usage includes the counted output. */
async function usageByCount(
  relay: AnsweredRelay,
  { end, isWhole }: { end: End; isWhole: boolean },
  tokenizer: Tokenizer,
): Promise<BilledUsage> {
  const { meter, admitted } = relay
  const reported = meter.usage
  const counted = await countUsage(admitted, meter, tokenizer)
  // After a disconnect, the upstream may charge for reasoning that it has not sent.
  const hidden =
    isWhole || end !== 'client-gone' ? 0 : hiddenTokens(relay, { shown: counted.completionTokens, now: Date.now() })
  const countPlausibleMax = Math.max((reported?.completionTokens ?? 0) - hidden, isWhole ? TINY_REPLY_MAX : 0)
  if (reported && counted.completionTokens <= countPlausibleMax && reported.promptTokens > 0) {
    return { usage: reported, isEstimated: false }
  }
  // Some upstreams report the prompt only in their last event, and report 0 before that.
  const promptTokens = reported?.promptTokens || counted.promptTokens
  const reportedOutput = reported?.completionTokens ?? 0
  const completionTokens =
    isWhole && reportedOutput > 1 ? reportedOutput : Math.max(reportedOutput, counted.completionTokens + hidden)
  return { usage: { ...counted, ...reported, promptTokens, completionTokens }, isEstimated: true }
}

/** The assumed output speed: that of a fast model. */
const TOKENS_PER_SECOND = 100

/**
 * Estimates the reasoning tokens that the upstream had not reported when the client disconnected. Assumes the output of
 * a fast model since the start of the relay, but at most the tokens that the hold covers. Subtracts the counted output
 * (`shown`).
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
  return plainUsage(promptTokens * meter.prompts, completionTokens + meter.otherTokens)
}

async function countPrompt({ entry, model, prompt, raw }: Admitted, tokenizer: Tokenizer): Promise<number> {
  const uncounted = entry.operation === 'chat' ? uncountedTokens(prompt, raw) : 0
  return (await tokenizer.count(model, prompt.texts)) + estimatePrompt({ ...prompt, texts: [] }, model) + uncounted
}
