import type { Operation } from '../../../core/channels/routing/operations.ts'
import type { ChannelSettings } from '../../../core/channels/settings/settings.ts'
import { recordOf } from '../../../core/records.ts'
import { FIELD, withoutMeanings } from '../admission/field-names.ts'
import type { Body } from '../dialects/dialect.ts'

const PREMIUM_FIELDS = FIELD.tier | FIELD.provider
/** Fields of `provider` that cannot raise the cost: data policies and a maximum price. */
const FREE_CHOICES = new Set(['data_collection', 'zdr', 'max_price'])

/**
 * Removes the fields that request a service tier, a speed, a region or a provider, unless the channel allows them. For
 * such a request, the upstream may charge more than the list price that the client pays. Returns the same object if
 * there are no such fields.
 */
export function withoutServiceTier(
  body: Body,
  { allowServiceTier }: Pick<ChannelSettings, 'allowServiceTier'>,
  operation: Operation = 'chat',
): Body {
  if (allowServiceTier) return body
  const withoutPremium = withoutMeanings(body, operation === 'chat' ? PREMIUM_FIELDS | FIELD.speed : PREMIUM_FIELDS)
  if (withoutPremium === body) return body
  const freeChoices = Object.entries(recordOf(body.provider)).filter(
    ([name, value]) => FREE_CHOICES.has(name) || (name === 'sort' && value === 'price'),
  )
  return freeChoices.length > 0 ? { ...withoutPremium, provider: Object.fromEntries(freeChoices) } : withoutPremium
}
