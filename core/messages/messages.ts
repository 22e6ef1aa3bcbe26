import type { GatewayError, Params } from '../errors.ts'
import { en } from './en.ts'
import { fill } from './fill.ts'
import type { Language } from './language.ts'
import { zh } from './zh.ts'

const CATALOGUES = { zh, en }

/** Returns an error's text with its parameters; `amount_en` is the English form of `amount`. */
export function errorText(error: GatewayError, language: Language): string {
  const suffix = `_${language}`
  const own = Object.entries(error.params).filter(([name]) => name.endsWith(suffix))
  const params = Object.fromEntries(own.map(([name, value]) => [name.slice(0, -suffix.length), value]))
  return fill(CATALOGUES[language][error.code], { ...error.params, ...params })
}

/**
 * Returns the parameters that the error's texts contain in any language. Others are only for the log: they may reveal things to a
 * rejected caller.
 */
export function shownParams({ code, params }: GatewayError): Params {
  const templates = Object.values(CATALOGUES).map((catalogue) => catalogue[code])
  // A parameter can have a form for one language, such as `minimum_en`.
  const isShown = (name: string) =>
    templates.some((template) => template.includes(`{${name.replace(/_(en|zh)$/, '')}}`))
  return Object.fromEntries(Object.entries(params).filter(([name]) => isShown(name)))
}
