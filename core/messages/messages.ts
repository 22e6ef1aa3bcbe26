import type { ErrorCode, GatewayError, Params } from '../errors.ts'
import { en } from './en.ts'
import type { Language } from './language.ts'
import { textIn } from './texts.ts'
import { zh } from './zh.ts'

/** For each error with a longer text: the parameter that selects the longer text, and its id. */
const LONGER: Partial<Record<ErrorCode, readonly [parameter: string, id: keyof (typeof en)['error']]>> = {
  CHANNEL_TYPE_UNKNOWN: ['meant', 'CHANNEL_TYPE_UNKNOWN_meant'],
  DATABASE_FOREIGN: ['command', 'DATABASE_FOREIGN_command'],
  DATABASE_UNAVAILABLE: ['seconds', 'DATABASE_UNAVAILABLE_seconds'],
  IMPORT_SOURCE_WRONG: ['command', 'IMPORT_SOURCE_WRONG_command'],
  LIMIT_REACHED: ['period', 'LIMIT_REACHED_period'],
  RATE_LIMITED: ['retryAfterSeconds', 'RATE_LIMITED_retryAfterSeconds'],
}

/** Returns the text of an error with its parameters. A parameter such as `amount_en` replaces `amount` in English. */
export function errorText({ code, params }: GatewayError, language: Language): string {
  const suffix = `_${language}`
  const own = Object.entries(params).filter(([name]) => name.endsWith(suffix))
  const named = { ...params, ...Object.fromEntries(own.map(([name, value]) => [name.slice(0, -suffix.length), value])) }
  const [parameter, longer] = LONGER[code] ?? []
  const isLonger = parameter !== undefined && params[parameter] !== undefined && longer !== undefined
  return textIn(language, `error.${isLonger ? longer : code}`, named)
}

/**
 * Returns the parameters that the texts of an error contain in any language. The others are only for the log, because callers
 * must not see them.
 */
export function shownParams({ code, params }: GatewayError): Params {
  const ids = [code, LONGER[code]?.[1] ?? code]
  const templates = [en, zh].flatMap(({ error }) => ids.map((id) => error[id]))
  // A parameter can have a form for one language, such as `minimum_en`.
  const isShown = (name: string) =>
    templates.some((template) => template.includes(`{{${name.replace(/_(en|zh)$/, '')}}}`))
  return Object.fromEntries(Object.entries(params).filter(([name]) => isShown(name)))
}
