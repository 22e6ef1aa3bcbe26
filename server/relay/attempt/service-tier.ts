import type { Operation } from '../../../core/channels/operations.ts'
import type { ChannelSettings } from '../../../core/channels/settings.ts'
import { FIELD, withoutFields } from '../admission/field-names.ts'
import type { Body } from '../dialects/dialect.ts'

/**
 * The request without the tier of service, speed and region that it asks for, unless the channel lets it: better ones cost
 * more at the upstream than the list price, which is what the client pays. The very same object where it names none.
 */
export function withoutServiceTier(
  body: Body,
  { allowServiceTier }: Pick<ChannelSettings, 'allowServiceTier'>,
  operation: Operation = 'chat',
): Body {
  if (allowServiceTier) return body
  return withoutFields(body, operation === 'chat' ? FIELD.tier | FIELD.speed : FIELD.tier)
}
