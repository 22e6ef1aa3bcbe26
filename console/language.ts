import type { Locale } from '@arco-design/web-react/es/locale/interface'
import zhCN from '@arco-design/web-react/es/locale/zh-CN' // part of Arco's base code, so it adds no size
import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { loadWithRetry } from './load-with-retry.ts'
import { readStored, writeStored } from './storage.ts'

export const LANGUAGES = ['zh', 'en'] as const
export type Language = (typeof LANGUAGES)[number]

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: Catalogue }
  }
}

/** Sets of texts that load together: for account pages such as login, for all other pages, and for the settings. */
interface Parts {
  first: typeof import('./locales/zh-first.ts')
  rest: typeof import('./locales/zh.ts')
  settings: typeof import('./locales/zh-settings.ts')
}
type Part = keyof Parts
type Load<T> = Record<Language, () => Promise<T>>

/** The texts of the console. Every language has exactly these keys. */
export type Catalogue = Parts['rest'] & Parts['settings']

// A browser loads only one language. The account pages load only the set `first`, because they must load fast.
const PARTS: { [Name in Part]: Load<Parts[Name]> } = {
  first: { zh: () => import('./locales/zh-first.ts'), en: () => import('./locales/en-first.ts') },
  rest: { zh: () => import('./locales/zh.ts'), en: () => import('./locales/en.ts') },
  settings: { zh: () => import('./locales/zh-settings.ts'), en: () => import('./locales/en-settings.ts') },
}
const ARCO: Load<Locale> = {
  zh: async () => zhCN,
  en: async () => {
    const { default: enUS } = await import('@arco-design/web-react/es/locale/en-US')
    // Arco puts a space before this text, and the original text already starts with a space.
    return { ...enUS, Pagination: { ...enUS.Pagination, countPerPage: '/ page' } }
  },
}

const loadedParts = new Set<Part>(['first'])
let resolveReady = () => {}
/** Resolves when the first language is set. The router loads its first page earlier, and must wait for this promise. */
const languageReady = new Promise<void>((resolve) => {
  resolveReady = resolve
})
let currentArco: Locale = zhCN

/** Sets the language last chosen in this browser, or the browser's language. Await this before the first render. */
export async function startLanguage(): Promise<void> {
  await i18next.use(initReactI18next).init({ resources: {}, interpolation: { escapeValue: false } })
  await showLanguage(readStored('language', isLanguage) ?? browserLanguage())
  resolveReady()
}

/** The language that the user chose last. If the texts of an earlier choice arrive later, they are ignored. */
let requestedLanguage: Language | undefined

export async function switchLanguage(language: Language): Promise<void> {
  requestedLanguage = language
  await showLanguage(language, () => requestedLanguage === language)
  if (requestedLanguage === language) writeStored('language', language)
}

export function currentLanguage(): Language {
  return isLanguage(i18next.language) ? i18next.language : 'zh'
}

/** Returns the texts of Arco's components in the current language. */
export function arcoLocale(): Locale {
  return currentArco
}

/** Loads all texts except those of the settings. All pages except the account pages await this before they render. */
export const loadAllTexts = (): Promise<void> => loadPart('rest')

/** Loads the texts of the settings. Components that show option names await this. */
export const loadSettingsTexts = (): Promise<void> => loadPart('settings')

async function loadPart(part: Part): Promise<void> {
  await languageReady
  if (loadedParts.has(part)) return
  const language = currentLanguage()
  i18next.addResourceBundle(language, 'translation', await loadWithRetry<Parts[Part]>(PARTS[part][language]))
  loadedParts.add(part)
  if (currentLanguage() !== language) await showLanguage(currentLanguage()) // the language changed meanwhile
}

async function textsOf(language: Language): Promise<Partial<Catalogue>> {
  const parts = await Promise.all(Array.from(loadedParts, (part) => loadWithRetry<Parts[Part]>(PARTS[part][language])))
  return Object.assign({}, ...parts)
}

async function showLanguage(language: Language, isCurrent = () => true): Promise<void> {
  const [texts, arco] = await Promise.all([textsOf(language), loadWithRetry(ARCO[language])])
  if (!isCurrent()) return
  currentArco = arco
  i18next.addResourceBundle(language, 'translation', texts)
  await i18next.changeLanguage(language)
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en'
}

function browserLanguage(): Language {
  return navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en'
}

function isLanguage(value: unknown): value is Language {
  return LANGUAGES.some((language) => language === value)
}
