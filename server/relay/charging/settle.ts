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
import { unreadTokens } from './quota-to-hold.ts'
import { plainUsage } from './usage.ts'

/**
 * Charges a relay for the usage that the upstream reports. If it reports none, charges the usage that was counted
 * locally. Resolves after the charge is committed. Rejects with DATABASE_UNAVAILABLE if the hold is lost and the
 * balance does not cover the charge. Then the reply must not be completed.
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
    // The hold was released and the balance was spent meanwhile, so the client must not get the end of the reply.
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
  const bill = ({ usage, counted }: CountedUsage): Bill =>
    toBill(chargedPrice(relay, usage.promptTokens), usage, {
      counted,
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
  const counted = meter.usage ? 0 : await countPrompt(admitted, tokenizer)
  const ask = { model, body, upload }
  return endpointBill(ENDPOINTS[operation], {
    ask,
    price: chargedPrice(relay, meter.usage?.promptTokens ?? counted),
    reported: meter.usage,
    pieces: meter.pieces,
    promptTokens: counted,
  })
}

/**
 * If a longer text has a reported usage of at most one output token, the report is not plausible. Then the tokens are
 * counted locally.
 */
const FEW_TOKENS = 8

/** The usage of a conversation, and whether a part of it was counted locally. */
interface CountedUsage {
  readonly usage: Usage
  readonly counted: boolean
}

function usageOf(relay: AnsweredRelay, end: End, tokenizer: Tokenizer): Ready<CountedUsage> {
  const { meter, isRead } = relay
  const reported = meter.usage
  const isWhole = end === 'complete' || isRead === true
  const isPlausible =
    reported &&
    isWhole &&
    // Every prompt has tokens. A 0 means that the report was negative or missing.
    reported.promptTokens > 0 &&
    !(reported.completionTokens <= 1 && meter.textLength > FEW_TOKENS)
  return isPlausible ? { usage: reported, counted: false } : countedUsage(relay, { end, isWhole }, tokenizer)
}

async function countedUsage(
  relay: AnsweredRelay,
  { end, isWhole }: { end: End; isWhole: boolean },
  tokenizer: Tokenizer,
): Promise<CountedUsage> {
  const { meter, admitted } = relay
  const reported = meter.usage
  const counted = await countUsage(admitted, meter, tokenizer)
  // If the stream broke off, a usage that was reported earlier does not include the later output.
  const hidden =
    isWhole || end !== 'client-gone' ? 0 : hiddenTokens(relay, { shown: counted.completionTokens, now: Date.now() })
  const enough = Math.max((reported?.completionTokens ?? 0) - hidden, isWhole ? FEW_TOKENS : 0)
  if (reported && counted.completionTokens <= enough && reported.promptTokens > 0) {
    return { usage: reported, counted: false }
  }
  // Some upstreams report the prompt only in their last event, and report 0 before that.
  const promptTokens = reported?.promptTokens || counted.promptTokens
  const reportedOutput = reported?.completionTokens ?? 0
  const completionTokens =
    isWhole && reportedOutput > 1 ? reportedOutput : Math.max(reportedOutput, counted.completionTokens + hidden)
  return { usage: { ...counted, ...reported, promptTokens, completionTokens }, counted: true }
}

/** The assumed output speed: that of a fast model. */
const TOKENS_PER_SECOND = 100

/**
 * Estimates the reasoning tokens that the upstream did not report before its client disconnected. Assumes as many
 * tokens as a fast model could write in this time, but not more than the hold covers. Subtracts the output that was
 * sent (`shown`).
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
  const unread = entry.operation === 'chat' ? unreadTokens(prompt, raw) : 0
  return (await tokenizer.count(model, prompt.texts)) + estimatePrompt({ ...prompt, texts: [] }, model) + unread
}
