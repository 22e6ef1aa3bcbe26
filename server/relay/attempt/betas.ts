import type { ChannelSettings } from '../../../core/channels/settings.ts'
import { isBetaAllowed } from '../../../core/pricing/betas.ts'
import { FIELD, hasField, meaningOf } from '../admission/field-names.ts'
import type { Body } from '../dialects/dialect.ts'

const HEADER = 'anthropic-beta'

type Allowing = Pick<ChannelSettings, 'anthropicBetas'>
type Headers = Readonly<Record<string, string>>

/**
 * The client's headers without the betas of Anthropic's API that neither the price data nor the channel knows: one may make
 * a request dearer, or open what is stored in the operator's account. The very same object where none is left out.
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

/** The same for the body. A value that is no list of names is left out. */
export function withKnownBetasInBody(body: Body, { anthropicBetas }: Allowing): Body {
  if (!hasField(body, FIELD.betas)) return body
  const fields = Object.keys(body).filter((name) => (meaningOf(name) & FIELD.betas) !== 0)
  const isKnown = (beta: unknown) => typeof beta === 'string' && isBetaAllowed(beta, anthropicBetas)
  const foreign = fields.filter((name) => !isListOf(body[name], isKnown))
  if (foreign.length === 0) return body
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => {
      if (!foreign.includes(name)) return [[name, value]]
      const known = Array.isArray(value) ? value.filter(isKnown) : []
      return known.length === 0 ? [] : [[name, known]]
    }),
  )
}

function isListOf(value: unknown, is: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(is)
}
