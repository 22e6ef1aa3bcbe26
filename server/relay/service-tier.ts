import type { ChannelSettings } from '../../core/channels/settings.ts'
import type { Body } from './dialects/dialect.ts'

const TIER = /^service_?tier$/i

/**
 * The request without the tier of service that it asks for, unless the channel lets it: a faster one costs more at the upstream
 * than its list price, which is what the client pays. The very same object where it names none.
 */
export function withoutServiceTier(body: Body, { allowServiceTier }: Pick<ChannelSettings, 'allowServiceTier'>): Body {
  if (allowServiceTier || !Object.keys(body).some((name) => TIER.test(name))) return body
  return Object.fromEntries(Object.entries(body).filter(([name]) => !TIER.test(name)))
}
