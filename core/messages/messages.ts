import type { ErrorCode, GatewayError, Params } from '../errors.ts'
import { en } from './en.ts'
import type { Language } from './language.ts'
import { textIn } from './texts.ts'
import { zh } from './zh.ts'

/** Errors that get a longer text if a certain parameter is present: the parameter, and the id of the longer text. */
const LONGER: Partial<Record<ErrorCode, readonly [parameter: string, id: keyof (typeof en)['error']]>> = {
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

/** Returns the text of an error with its parameters. In English texts, `amount_en` replaces `amount`, for example. */
export function errorText({ code, params }: GatewayError, language: Language): string {
  const suffix = `_${language}`
  const languageParams = Object.entries(params).filter(([name]) => name.endsWith(suffix))
  const replacements = languageParams.map(([name, value]) => [name.slice(0, -suffix.length), value])
  const values = { ...params, ...Object.fromEntries(replacements) }
  const [parameter, longer] = LONGER[code] ?? []
  const isLonger = parameter !== undefined && params[parameter] !== undefined && longer !== undefined
  return textIn(language, `error.${isLonger ? longer : code}`, values)
}

/**
 * Returns the parameters that the texts of an error contain in any language. Callers must not see the other parameters,
 * which are only for the log.
 */
export function shownParams({ code, params }: GatewayError): Params {
  const ids = [code, LONGER[code]?.[1] ?? code]
  const templates = [en, zh].flatMap(({ error }) => ids.map((id) => error[id]))
  // A parameter may have a variant for one language, such as `minimum_en`.
  const isShown = (name: string) =>
    templates.some((template) => template.includes(`{{${name.replace(/_(en|zh)$/, '')}}}`))
  return Object.fromEntries(Object.entries(params).filter(([name]) => isShown(name)))
}
