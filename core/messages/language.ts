export type Language = 'zh' | 'en'

/**
 * Returns the requested language, from `Accept-Language` (RFC 9110 section 12.5.4; quality values decide) or a locale such as
 * `zh_CN.UTF-8`. Without zh or en: the fallback.
 */
export function chooseLanguage(wanted: string | undefined, fallback: Language): Language {
  // Default header of HTTP clients.
  if (wanted === undefined || wanted === '*') return fallback
  return namedLanguage(wanted) ?? fallback
}

/** The language that `wanted` prefers, as `chooseLanguage` reads it; undefined if it names neither zh nor en. */
export function namedLanguage(wanted: string | undefined): Language | undefined {
  // What programs send with each request.
  if (wanted === undefined || wanted === '*') return undefined
  const ranked = wanted
    .split(',')
    .map((range) => {
      const [tag = '', ...parameters] = range.trim().toLowerCase().split(';')
      const quality = parameters.find((parameter) => parameter.trim().startsWith('q='))
      return { language: tag.slice(0, 2), quality: quality ? Number(quality.trim().slice(2)) : 1 }
    })
    .sort((a, b) => b.quality - a.quality)
  const found = ranked.find(({ language, quality }) => quality > 0 && (language === 'zh' || language === 'en'))
  return found?.language as Language | undefined
}
