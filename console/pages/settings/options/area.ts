import type { TFunction } from 'i18next'
import type { OptionTexts } from '../../../api/options.ts'
import type { Catalogue } from '../../../language.ts'

/** Keys of the options that have a label in the console's texts. */
export type LabeledOptionKey = keyof Catalogue['option']['label']
export type AreaName = keyof Catalogue['option']['area']

/** The kind of an option's control. The server stores all values as text. */
export type OptionKind =
  | 'switch'
  | 'integer'
  | 'number'
  | 'quota'
  | 'text'
  | 'address' // stored without a trailing slash
  | 'secret' // never shown; an empty field keeps the stored value
  | 'steps' // hour, day or week
  | 'lines' // one entry per line
  | 'tags' // comma-separated entries
  | 'json'
  | 'content' // Markdown, HTML or a URL, with a preview

export interface OptionField<Key extends string = string> {
  key: Key
  kind: OptionKind
  min?: number
  /** True if a number may be empty. */
  optional?: boolean
  placeholder?: string
  /** Kind of the preview. The preview is in a tab for `content`, otherwise below the field. */
  preview?: 'page' | 'footer' | 'image'
  /** The question before the user switches the option off. */
  offQuestion?: (t: TFunction) => { title: string; content: string }
  /** Options that must not be empty while the switch is on, and the error if one of them is empty. */
  needs?: { keys: readonly LabeledOptionKey[]; problem: (t: TFunction) => string }
  /** The error for invalid JSON, instead of the general error. */
  badJson?: (t: TFunction) => string
}

/** Options that share a card and a save button. */
export interface SettingsArea<Key extends string = string> {
  name: AreaName
  fields: readonly OptionField<Key>[]
  /** Returns the reason why the area cannot be saved now; undefined if it can be saved. */
  refuse?: (stored: OptionTexts, t: TFunction) => string | undefined
}
