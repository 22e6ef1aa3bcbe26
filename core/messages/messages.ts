import type { GatewayError, Params } from '../errors.ts'
import { en } from './en.ts'
import { zh } from './zh.ts'

export type Language = 'zh' | 'en'
const CATALOGUES = { zh, en }

/** The text of an error in one language, its parameters filled in. */
export function errorText(error: GatewayError, language: Language): string {
  return fill(CATALOGUES[language][error.code], error.params)
}

/** Replaces each `{name}` by the parameter of that name; an absent one stays empty. */
export function fill(template: string, params: Params): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? ''))
}

/**
 * The language somebody asked for, from `Accept-Language` (RFC 9110 section 12.5.4; quality values decide) or from a
 * locale such as `zh_CN.UTF-8`. Neither zh nor en named: the fallback.
 */
export function chooseLanguage(wanted: string | undefined, fallback: Language): Language {
  const ranked = (wanted ?? '')
    .split(',')
    .map((range) => {
      const [tag = '', ...parameters] = range.trim().toLowerCase().split(';')
      const quality = parameters.find((parameter) => parameter.trim().startsWith('q='))
      return { language: tag.slice(0, 2), quality: quality ? Number(quality.trim().slice(2)) : 1 }
    })
    .sort((a, b) => b.quality - a.quality)
  const found = ranked.find(({ language, quality }) => quality > 0 && (language === 'zh' || language === 'en'))
  return (found?.language as Language | undefined) ?? fallback
}
