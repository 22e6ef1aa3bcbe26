import type { Operation } from '../../../core/channels/operations.ts'
import type { ChannelSettings } from '../../../core/channels/settings.ts'
import { FIELD, withoutFields } from '../admission/field-names.ts'
import type { Body } from '../dialects/dialect.ts'
import { objectOf } from '../json.ts'

const DEARER = FIELD.tier | FIELD.provider
/** What providers may do with a request, and how much they may cost, is for its client to say. */
const FREE_CHOICES = new Set(['data_collection', 'zdr', 'max_price'])

/**
 * The request without the tier of service, speed, region and provider that it asks for, unless the channel lets it: better ones cost
 * more at the upstream than the list price, which is what the client pays. The very same object where it names none.
 */
export function withoutServiceTier(
  body: Body,
  { allowServiceTier }: Pick<ChannelSettings, 'allowServiceTier'>,
  operation: Operation = 'chat',
): Body {
  if (allowServiceTier) return body
  const kept = withoutFields(body, operation === 'chat' ? DEARER | FIELD.speed : DEARER)
  if (kept === body) return body
  const free = Object.entries(objectOf(body.provider)).filter(
    ([name, value]) => FREE_CHOICES.has(name) || (name === 'sort' && value === 'price'),
  )
  return free.length > 0 ? { ...kept, provider: Object.fromEntries(free) } : kept
}
