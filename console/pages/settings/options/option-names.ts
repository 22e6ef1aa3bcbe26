import type { i18n, TFunction } from 'i18next'
import { type Catalogue, currentLanguage } from '../../../language.ts'
import type { AreaName, LabeledOptionKey, OptionField } from './area.ts'

type Known = Pick<i18n, 'exists'>
type HintKey = keyof Catalogue['option']['hint']
type NoteKey = keyof Catalogue['option']['note']

/** Returns the label of an option; its key if this console does not know the option. */
export function optionLabelOf(t: TFunction, catalogue: Known, key: string): string {
  const isKnown = (key: string): key is LabeledOptionKey => catalogue.exists(`option.label.${key}`)
  return isKnown(key) ? t(`option.label.${key}`) : key
}

/** Replaces the option's key in a server message with the option's label. */
export const namedMessage = (message: string, key: string, label: string): string =>
  message.replace(key, currentLanguage() === 'zh' ? `「${label}」` : `“${label}”`)

export function hintOf(t: TFunction, catalogue: Known, key: string): string | undefined {
  const isKnown = (key: string): key is HintKey => catalogue.exists(`option.hint.${key}`)
  return isKnown(key) ? t(`option.hint.${key}`) : undefined
}

export function noteOf(t: TFunction, catalogue: Known, name: AreaName): string | undefined {
  const isKnown = (name: string): name is NoteKey => catalogue.exists(`option.note.${name}`)
  return isKnown(name) ? t(`option.note.${name}`) : undefined
}

/** Returns whether a search matches an option's label, key or hint. */
export function matchesSearch(t: TFunction, catalogue: Known, { key }: OptionField, search: string): boolean {
  const lowerSearch = search.trim().toLowerCase()
  const texts = [key, optionLabelOf(t, catalogue, key), hintOf(t, catalogue, key) ?? '']
  return texts.some((text) => text.toLowerCase().includes(lowerSearch))
}
