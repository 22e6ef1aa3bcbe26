import type { Pricing } from '../../core/pricing/pricing.ts'
import type { Admitted } from './admission.ts'
import { estimatePrompt } from './counting/prompt.ts'
import { ENDPOINTS } from './endpoints/endpoints.ts'
import { endpointHold } from './endpoints/receipt.ts'

/** Returns the quota to set aside for a request that is no conversation. */
export function quotaToHold(admitted: Admitted, promptTokens: number): number {
  const { entry, model, body, upload, price } = admitted
  if (entry.operation === 'chat' || entry.operation === 'realtime')
    throw new Error('A conversation holds by its output')
  return endpointHold(ENDPOINTS[entry.operation], { ask: { model, body, upload }, price, promptTokens })
}

/** Returns the tokens of a prompt, rather above than below what is charged. */
export function promptToHold({ prompt }: Admitted, _pricing: Pick<Pricing, 'limits'>): number {
  return estimatePrompt(prompt)
}
