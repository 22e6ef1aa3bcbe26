import type { GatewayError, Params } from '../errors.ts'
import { en } from './en.ts'
import type { Language } from './language.ts'
import { zh } from './zh.ts'

const CATALOGUES = { zh, en }

/** The text of an error in one language, its parameters filled in: `amount_en` is how `amount` reads in English. */
export function errorText(error: GatewayError, language: Language): string {
  const suffix = `_${language}`
  const own = Object.entries(error.params).filter(([name]) => name.endsWith(suffix))
  const params = Object.fromEntries(own.map(([name, value]) => [name.slice(0, -suffix.length), value]))
  return fill(CATALOGUES[language][error.code], { ...error.params, ...params })
}

/**
 * The parameters that a text of this error shows, in one language or another. Others are for the log alone: they can name what
 * whoever is refused must not learn.
 */
export function shownParams({ code, params }: GatewayError): Params {
  const templates = Object.values(CATALOGUES).map((catalogue) => catalogue[code])
  // A parameter may have a form for one language, `minimum_en`.
  const isShown = (name: string) =>
    templates.some((template) => template.includes(`{${name.replace(/_(en|zh)$/, '')}}`))
  return Object.fromEntries(Object.entries(params).filter(([name]) => isShown(name)))
}

/**
 * Replaces each `{name}` by the parameter of that name; an absent one stays empty. A part like `[ in {name} s]`, with more than
 * the name in its brackets, is there only with its parameter.
 */
export function fill(template: string, params: Params): string {
  return template
    .replace(/\[(?!\{\w+\}\])([^[\]]*\{(\w+)\}[^[\]]*)\]/g, (_, part: string, name: string) =>
      params[name] === undefined ? '' : part,
    )
    .replace(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? ''))
}
