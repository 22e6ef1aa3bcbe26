import type { ErrorCode, GatewayError, Params } from '../errors.ts'
import { en } from './en.ts'
import type { Language } from './language.ts'
import { textIn } from './texts.ts'
import { zh } from './zh.ts'

/** The longer texts of errors. An error has its longer text if it has the named parameter. */
const LONGER_TEXTS: Partial<Record<ErrorCode, readonly [parameter: string, id: keyof (typeof en)['error']]>> = {
  CHANNEL_TYPE_UNKNOWN: ['meant', 'CHANNEL_TYPE_UNKNOWN_meant'],
  DATABASE_FOREIGN: ['command', 'DATABASE_FOREIGN_command'],
  DATABASE_UNAVAILABLE: ['seconds', 'DATABASE_UNAVAILABLE_seconds'],
  DATABASE_UNREACHABLE: ['setting', 'DATABASE_UNREACHABLE_setting'],
  FIELD_RANGE: ['action', 'FIELD_RANGE_action'],
  IMPORT_SOURCE_WRONG: ['command', 'IMPORT_SOURCE_WRONG_command'],
  LOG_NOT_FOUND: ['request', 'LOG_NOT_FOUND_request'],
  LIMIT_REACHED: ['period', 'LIMIT_REACHED_period'],
  RATE_LIMITED: ['retryAfterSeconds', 'RATE_LIMITED_retryAfterSeconds'],
}

/** Returns the text of an error with its parameters. In English texts, `amount_en` replaces `amount` if present. */
export function errorText({ code, params }: GatewayError, language: Language): string {
  const suffix = `_${language}`
  const languageParams = Object.entries(params).filter(([name]) => name.endsWith(suffix))
  const replacements = languageParams.map(([name, value]) => [name.slice(0, -suffix.length), value])
  const values = { ...params, ...Object.fromEntries(replacements) }
  const [parameter = '', longerId] = LONGER_TEXTS[code] ?? []
  const id = longerId !== undefined && params[parameter] !== undefined ? longerId : code
  return textIn(language, `error.${id}`, values)
}

/**
 * Returns the parameters that the texts of an error contain in any language. The other parameters are only for the log,
 * and clients must not see them.
 */
export function visibleParams({ code, params }: GatewayError): Params {
  const ids = [code, LONGER_TEXTS[code]?.[1] ?? code]
  const templates = [en, zh].flatMap(({ error }) => ids.map((id) => error[id]))
  // A parameter may have a variant for one language, such as `minimum_en`.
  const isVisible = (name: string) =>
    templates.some((template) => template.includes(`{{${name.replace(/_(en|zh)$/, '')}}}`))
  return Object.fromEntries(Object.entries(params).filter(([name]) => isVisible(name)))
}
