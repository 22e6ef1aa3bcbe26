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

// A visitor loads one language: our texts and Arco's together.
const LOADERS: Record<Language, () => Promise<{ texts: Catalogue; arco: Locale }>> = {
  zh: async () => ({ texts: (await import('./locales/zh.ts')).zh, arco: zhCN }),
  en: async () => {
    const [{ en }, arco] = await Promise.all([
      import('./locales/en.ts'),
      import('@arco-design/web-react/es/locale/en-US'),
    ])
    return { texts: en, arco: arco.default }
  },
}

let shownArco: Locale = zhCN

/** To be awaited before the first render. */
export async function startLanguage(): Promise<void> {
  await i18next.use(initReactI18next).init({ resources: {}, interpolation: { escapeValue: false } })
  await showLanguage(readStored('language', isLanguage) ?? browserLanguage())
}

export async function chooseLanguage(chosen: Language): Promise<void> {
  await showLanguage(chosen)
  writeStored('language', chosen)
}

export function currentLanguage(): Language {
  return isLanguage(i18next.language) ? i18next.language : 'zh'
}

/** The texts of Arco's components, in the language shown. */
export function arcoLocale(): Locale {
  return shownArco
}

async function showLanguage(chosen: Language): Promise<void> {
  const { texts, arco } = await LOADERS[chosen]()
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
