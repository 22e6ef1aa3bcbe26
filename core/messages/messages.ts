import type { GatewayError, Params } from '../errors.ts'
import { en } from './en.ts'
import type { Language } from './language.ts'
import { zh } from './zh.ts'

const CATALOGUES = { zh, en }

/** The text of an error in one language, its parameters filled in. */
export function errorText(error: GatewayError, language: Language): string {
  return fill(CATALOGUES[language][error.code], error.params)
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
