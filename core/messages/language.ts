export type Language = 'zh' | 'en'

/**
 * The language somebody asked for, from `Accept-Language` (RFC 9110 section 12.5.4; quality values decide) or from a
 * locale such as `zh_CN.UTF-8`. Neither zh nor en named: the fallback.
 */
export function chooseLanguage(wanted: string | undefined, fallback: Language): Language {
  // What programs send with each request.
  if (wanted === undefined || wanted === '*') return fallback
  const ranked = wanted
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
