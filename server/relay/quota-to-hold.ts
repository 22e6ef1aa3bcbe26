import { holdQuota } from '../../core/pricing/prices.ts'
import type { Admitted } from './admission.ts'
import { estimatePrompt } from './counting/prompt.ts'
import { ENDPOINTS } from './endpoints/endpoints.ts'
import { endpointHold } from './endpoints/receipt.ts'

/** What is set aside for a request, before anybody is asked. */
export function quotaToHold(admitted: Admitted): number {
  const { entry, model, body, upload, price, prompt, completionTokens } = admitted
  const promptTokens = estimatePrompt(prompt)
  if (entry.operation === 'chat' || entry.operation === 'realtime') {
    return holdQuota(price, { promptTokens, completionTokens })
  }
  return endpointHold(ENDPOINTS[entry.operation], { ask: { model, body, upload }, price, promptTokens })
}
