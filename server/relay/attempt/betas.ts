import type { ChannelSettings } from '../../../core/channels/settings/settings.ts'
import { isBetaAllowed } from '../../../core/pricing/betas.ts'
import { FIELD, hasField, meaningOf } from '../admission/field-names.ts'
import type { Body } from '../dialects/dialect.ts'

const HEADER = 'anthropic-beta'

type Allowing = Pick<ChannelSettings, 'anthropicBetas'>
type Headers = Readonly<Record<string, string>>

/**
 * Removes Anthropic betas from the headers, except those that the price data or the channel lists. A beta may raise the
 * price, or expose data in the operator's account. Returns the same object if nothing is removed.
 */
export function withKnownBetas(headers: Headers, { anthropicBetas }: Allowing): Headers {
  const header = headers[HEADER]
  if (header === undefined) return headers
  const named = header.split(',').map((beta) => beta.trim())
  const known = named.filter((beta) => isBetaAllowed(beta, anthropicBetas))
  if (known.length === named.length) return headers
  const { [HEADER]: _, ...others } = headers
  return known.length === 0 ? others : { ...others, [HEADER]: known.join(',') }
}

/** Like `withKnownBetas`, but for the fields of a body. Removes a field that is no list. */
export function withKnownBetasInBody(body: Body, { anthropicBetas }: Allowing): Body {
  if (!hasField(body, FIELD.betas)) return body
  const fields = Object.keys(body).filter((name) => (meaningOf(name) & FIELD.betas) !== 0)
  const isKnown = (beta: unknown) => typeof beta === 'string' && isBetaAllowed(beta, anthropicBetas)
  const fieldsToChange = fields.filter((name) => !isListOf(body[name], isKnown))
  if (fieldsToChange.length === 0) return body
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => {
      if (!fieldsToChange.includes(name)) return [[name, value]]
      const known = Array.isArray(value) ? value.filter(isKnown) : []
      return known.length === 0 ? [] : [[name, known]]
    }),
  )
}

function isListOf(value: unknown, is: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(is)
}
