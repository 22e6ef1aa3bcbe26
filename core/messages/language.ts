const LANGUAGES = ['zh', 'en'] as const
export type Language = (typeof LANGUAGES)[number]

/**
 * Returns the requested language, or the fallback if the text names neither zh nor en. `wanted`: an `Accept-Language` header (RFC
 * 9110 section 12.5.4), whose quality values decide, or a locale such as `zh_CN.UTF-8`.
 */
export function chooseLanguage(wanted: string | undefined, fallback: Language): Language {
  // `*` is the default header of HTTP clients.
  if (wanted === undefined || wanted === '*') return fallback
  return namedLanguage(wanted) ?? fallback
}

/** Returns the requested language like `chooseLanguage`, or undefined if the text names neither zh nor en. */
export function namedLanguage(wanted: string | undefined): Language | undefined {
  // `*` is the default header of HTTP clients.
  if (wanted === undefined || wanted === '*') return undefined
  const ranked = wanted
    .split(',')
    .map((range) => {
      const [tag = '', ...parameters] = range.trim().toLowerCase().split(';')
      const quality = parameters.find((parameter) => parameter.trim().startsWith('q='))
      const language = LANGUAGES.find((each) => tag.startsWith(each))
      return { language, quality: quality ? Number(quality.trim().slice(2)) : 1 }
    })
    .sort((a, b) => b.quality - a.quality)
  const preferred = ranked.find(({ language, quality }) => quality > 0 && language)
  return preferred?.language
}
