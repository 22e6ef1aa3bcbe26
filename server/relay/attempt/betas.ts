import type { ChannelSettings } from '../../../core/channels/settings/settings.ts'
import { isBetaAllowed } from '../../../core/pricing/betas.ts'
import { FIELD, hasField, meaningOf } from '../admission/field-names.ts'
import type { Body } from '../dialects/dialect.ts'

const BETA_HEADER = 'anthropic-beta'

type BetaSettings = Pick<ChannelSettings, 'anthropicBetas'>
type Headers = Readonly<Record<string, string>>

/**
 * Removes Anthropic betas from the headers, except those that the price data or the channel lists. A beta may raise the
 * price, or expose data in the operator's account. Returns the same object if nothing is removed.
 */
export function withKnownBetas(headers: Headers, { anthropicBetas }: BetaSettings): Headers {
  const header = headers[BETA_HEADER]
  if (header === undefined) return headers
  const betas = header.split(',').map((beta) => beta.trim())
  const allowedBetas = betas.filter((beta) => isBetaAllowed(beta, anthropicBetas))
  if (allowedBetas.length === betas.length) return headers
  const { [BETA_HEADER]: _, ...others } = headers
  return allowedBetas.length === 0 ? others : { ...others, [BETA_HEADER]: allowedBetas.join(',') }
}

/** Like `withKnownBetas`, but for the fields of a body. Also removes a field whose value is no list. */
export function withKnownBetasInBody(body: Body, { anthropicBetas }: BetaSettings): Body {
  if (!hasField(body, FIELD.betas)) return body
  const fields = Object.keys(body).filter((name) => (meaningOf(name) & FIELD.betas) !== 0)
  const isAllowed = (beta: unknown) => typeof beta === 'string' && isBetaAllowed(beta, anthropicBetas)
  const fieldsToChange = fields.filter((name) => !isListOf(body[name], isAllowed))
  if (fieldsToChange.length === 0) return body
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => {
      if (!fieldsToChange.includes(name)) return [[name, value]]
      const allowedBetas = Array.isArray(value) ? value.filter(isAllowed) : []
      return allowedBetas.length === 0 ? [] : [[name, allowedBetas]]
    }),
  )
}

function isListOf(value: unknown, test: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(test)
}
