import type { Locale } from '@arco-design/web-react/es/locale/interface'
import zhCN from '@arco-design/web-react/es/locale/zh-CN' // part of Arco itself, so it costs nothing
import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import type { Catalogue } from './locales/zh.ts'
import { readStored, writeStored } from './storage.ts'

export const LANGUAGES = ['zh', 'en'] as const
export type Language = (typeof LANGUAGES)[number]

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: Catalogue }
  }
}

// A visitor loads one language, and of that no more than the page before the login needs: its time is counted.
const FIRST: Record<Language, () => Promise<{ first: Partial<Catalogue> }>> = {
  zh: () => import('./locales/zh-first.ts'),
  en: () => import('./locales/en-first.ts'),
}
const WHOLE: Record<Language, () => Promise<Catalogue>> = {
  zh: async () => (await import('./locales/zh.ts')).zh,
  en: async () => (await import('./locales/en.ts')).en,
}
const ARCO: Record<Language, () => Promise<Locale>> = {
  zh: async () => zhCN,
  en: async () => (await import('@arco-design/web-react/es/locale/en-US')).default,
}

let whole = false
let started = () => {}
/** The router asks for its first page before there is a language. */
const ready = new Promise<void>((resolve) => {
  started = resolve
})
let shownArco: Locale = zhCN

/** To be awaited before the first render. */
export async function startLanguage(): Promise<void> {
  await i18next.use(initReactI18next).init({ resources: {}, interpolation: { escapeValue: false } })
  await showLanguage(readStored('language', isLanguage) ?? browserLanguage())
  started()
}

/** What was chosen last: texts that come later than those of a later choice are not shown. */
let wanted: Language | undefined

export async function chooseLanguage(chosen: Language): Promise<void> {
  wanted = chosen
  await showLanguage(chosen, () => wanted === chosen)
  if (wanted === chosen) writeStored('language', chosen)
}

export function currentLanguage(): Language {
  return isLanguage(i18next.language) ? i18next.language : 'zh'
}

/** The texts of Arco's components, in the language shown. */
export function arcoLocale(): Locale {
  return shownArco
}

/** To be awaited by a page that has more texts than the first ones, before it is shown. */
export async function loadAllTexts(): Promise<void> {
  await ready
  if (whole) return
  const language = currentLanguage()
  i18next.addResourceBundle(language, 'translation', await WHOLE[language]())
  whole = true
  if (currentLanguage() !== language) await showLanguage(currentLanguage()) // chosen in the meantime
}

const textsOf = async (language: Language): Promise<Partial<Catalogue>> =>
  whole ? WHOLE[language]() : (await FIRST[language]()).first

async function showLanguage(chosen: Language, isWanted = () => true): Promise<void> {
  const [texts, arco] = await Promise.all([textsOf(chosen), ARCO[chosen]()])
  if (!isWanted()) return
  shownArco = arco
  i18next.addResourceBundle(chosen, 'translation', texts)
  await i18next.changeLanguage(chosen)
  document.documentElement.lang = chosen === 'zh' ? 'zh-CN' : 'en'
}

function browserLanguage(): Language {
  return navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en'
}

function isLanguage(value: unknown): value is Language {
  return LANGUAGES.some((language) => language === value)
}
