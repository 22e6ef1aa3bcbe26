import type { Operation } from '../../../core/channels/operations.ts'
import type { ChannelSettings } from '../../../core/channels/settings.ts'
import type { Body } from '../dialects/dialect.ts'

// With `u`, an s is also a `ſ`, as Go reads it.
const DEARER = /^(service[_-]?tier|inference[_-]?geo)$/iu
/** Claude's fast mode; elsewhere it is how fast a voice speaks. */
const DEARER_CHAT = /^(service[_-]?tier|inference[_-]?geo|speed)$/iu

/**
 * The request without the tier of service, speed and region that it asks for, unless the channel lets it: better ones cost
 * more at the upstream than the list price, which is what the client pays. The very same object where it names none.
 */
export function withoutServiceTier(
  body: Body,
  { allowServiceTier }: Pick<ChannelSettings, 'allowServiceTier'>,
  operation: Operation = 'chat',
): Body {
  const dearer = operation === 'chat' ? DEARER_CHAT : DEARER
  if (allowServiceTier || !Object.keys(body).some((name) => dearer.test(name))) return body
  return Object.fromEntries(Object.entries(body).filter(([name]) => !dearer.test(name)))
}
