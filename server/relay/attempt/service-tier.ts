import type { Operation } from '../../../core/channels/routing/operations.ts'
import type { ChannelSettings } from '../../../core/channels/settings/settings.ts'
import { FIELD, withoutFields } from '../admission/field-names.ts'
import type { Body } from '../dialects/dialect.ts'
import { objectOf } from '../json.ts'

const PREMIUM_FIELDS = FIELD.tier | FIELD.provider
/** Provider preferences that cannot raise the cost: data policies and a maximum price. */
const FREE_CHOICES = new Set(['data_collection', 'zdr', 'max_price'])

/**
 * Removes the requested service tier, speed, region and provider, unless the channel allows them: premium ones cost more at the
 * upstream than the list price that the client pays. Returns the same object if there are none.
 */
export function withoutServiceTier(
  body: Body,
  { allowServiceTier }: Pick<ChannelSettings, 'allowServiceTier'>,
  operation: Operation = 'chat',
): Body {
  if (allowServiceTier) return body
  const kept = withoutFields(body, operation === 'chat' ? PREMIUM_FIELDS | FIELD.speed : PREMIUM_FIELDS)
  if (kept === body) return body
  const free = Object.entries(objectOf(body.provider)).filter(
    ([name, value]) => FREE_CHOICES.has(name) || (name === 'sort' && value === 'price'),
  )
  return free.length > 0 ? { ...kept, provider: Object.fromEntries(free) } : kept
}
