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

/** Replaces each `{name}` by the parameter of that name; an absent one stays empty. */
export function fill(template: string, params: Params): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? ''))
}
