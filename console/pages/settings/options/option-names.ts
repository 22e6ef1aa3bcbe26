import type { i18n, TFunction } from 'i18next'
import type { Catalogue } from '../../../locales/zh.ts'
import type { AreaName, OptionField, OptionKey } from './area.ts'

type Known = Pick<i18n, 'exists'>
type HintKey = keyof Catalogue['option']['hint']
type NoteKey = keyof Catalogue['option']['note']

/** What an option is called; its key when this console is older than the option. */
export function labelOf(t: TFunction, catalogue: Known, key: string): string {
  const known = (key: string): key is OptionKey => catalogue.exists(`option.label.${key}`)
  return known(key) ? t(`option.label.${key}`) : key
}

export function hintOf(t: TFunction, catalogue: Known, key: string): string | undefined {
  const known = (key: string): key is HintKey => catalogue.exists(`option.hint.${key}`)
  return known(key) ? t(`option.hint.${key}`) : undefined
}

export function noteOf(t: TFunction, catalogue: Known, name: AreaName): string | undefined {
  const known = (name: string): name is NoteKey => catalogue.exists(`option.note.${name}`)
  return known(name) ? t(`option.note.${name}`) : undefined
}

/** Whether a search finds an option: by its name, its key or its hint. */
export function isFound(t: TFunction, catalogue: Known, { key }: OptionField, search: string): boolean {
  const words = search.trim().toLowerCase()
  const texts = [key, labelOf(t, catalogue, key), hintOf(t, catalogue, key) ?? '']
  return texts.some((text) => text.toLowerCase().includes(words))
}
