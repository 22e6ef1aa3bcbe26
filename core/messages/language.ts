const LANGUAGES = ['zh', 'en'] as const
export type Language = (typeof LANGUAGES)[number]

/**
 * Returns the requested language, or the fallback if the text names neither zh nor en. `requested` is a locale such as
 * `zh_CN.UTF-8`, or an `Accept-Language` header (RFC 9110 section 12.5.4). The quality values of the header decide.
 */
export function chooseLanguage(requested: string | undefined, fallback: Language): Language {
  return namedLanguage(requested) ?? fallback
}

/** Returns the requested language like `chooseLanguage`, or undefined if the text names neither zh nor en. */
export function namedLanguage(requested: string | undefined): Language | undefined {
  // HTTP clients send `*` by default.
  if (requested === undefined || requested === '*') return undefined
  const ranked = requested
    .split(',')
    .map((range) => {
      const [tag = '', ...parameters] = range.trim().toLowerCase().split(';')
      const quality = parameters.find((parameter) => parameter.trim().startsWith('q='))
      const language = LANGUAGES.find((each) => tag.startsWith(each))
      return { language, quality: quality ? Number(quality.trim().slice(2)) : 1 }
    })
    .sort((a, b) => b.quality - a.quality)
  return ranked.find(({ language, quality }) => quality > 0 && language)?.language
}
