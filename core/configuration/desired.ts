import { findAnyType, parseChannelType } from '../channels/types.ts'
import { GatewayError } from '../errors.ts'
import { findOption } from '../options/registry.ts'
import type { Secrets } from '../secrets.ts'
import type { ConfigurationDocument } from './schema.ts'
import { comparable, SECTION_OF_OPTION, type State, secretOf } from './state.ts'

/** What a document asks for, in the form of `readState`. Secrets are resolved. Throws OPTION_*, CHANNEL_TYPE_*, CONFIGURATION_INVALID. */
export function desiredState(document: ConfigurationDocument, secrets: Secrets): Partial<State> {
  const { options, groups, limits, prices, channels } = document
  return {
    ...(options && {
      options: new Map(Object.entries(options).map(([key, value]) => [key, optionFields(key, value, secrets)])),
    }),
    ...(groups && { groups: new Map(Object.entries(groups).map(([name, group]) => [name, withoutNeutral(group)])) }),
    ...(limits && { limits: new Map(Object.entries(limits)) }),
    ...(prices && {
      prices: new Map(Object.entries(prices).map(([name, price]) => [name, checkedPrice(name, price)])),
    }),
    ...(channels && {
      channels: new Map(
        Object.entries(channels).map(([name, { key, type, ...fields }]) => [
          name,
          { type: typeOf(type), ...(key !== undefined && { key: secretOf(secrets, key) }), ...fields },
        ]),
      ),
    }),
  }
}

function optionFields(key: string, value: unknown, secrets: Secrets) {
  const option = findOption(key)
  if (!option) throw new GatewayError('OPTION_UNKNOWN', { key })
  const section = SECTION_OF_OPTION.get(key)
  if (section)
    throw new GatewayError('CONFIGURATION_INVALID', { reason: `options.${key}: the section ${section} describes it` })
  const text = optionText(value)
  const checked = option.check(text)
  return { value: option.secret ? secretOf(secrets, checked) : comparable(option, checked) }
}

/** Options are texts; in a file, numbers, switches and JSON may be written as what they are. */
export function optionText(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function typeOf(given: string | number): string | number {
  const known = typeof given === 'number' ? findAnyType(given) : parseChannelType(given)
  if (!known) throw new GatewayError('CHANNEL_TYPE_UNKNOWN', { value: given })
  return 'slug' in known ? known.slug : known.type
}

/** A ratio of 1 changes no top-up. */
function withoutNeutral<T extends { topup_ratio?: number | undefined }>({ topup_ratio, ...group }: T) {
  return topup_ratio === undefined || topup_ratio === 1 ? group : { ...group, topup_ratio }
}

function checkedPrice<T extends { ratio?: number | undefined; per_call?: number | undefined }>(
  name: string,
  price: T,
): T {
  if (price.ratio === undefined || price.per_call === undefined) return price
  throw new GatewayError('CONFIGURATION_INVALID', { reason: `prices.${name}: give either ratio or per_call` })
}
