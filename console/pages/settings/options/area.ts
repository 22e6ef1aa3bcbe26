import type { TFunction } from 'i18next'
import type { OptionTexts } from '../../../api/options.ts'
import type { Catalogue } from '../../../locales/zh.ts'

/** The options that have a name of their own in both languages. */
export type OptionKey = keyof Catalogue['option']['label']
export type AreaName = keyof Catalogue['option']['area']

/** How an option is edited. The server keeps all as text. */
export type OptionKind =
  | 'switch'
  | 'integer'
  | 'number'
  | 'quota'
  | 'text'
  | 'address' // kept without the slash at its end
  | 'secret' // never shown; empty stays as it is
  | 'steps' // hour, day or week
  | 'lines' // one entry a line
  | 'tags' // entries with commas between them
  | 'json'
  | 'content' // Markdown, HTML or an address, with a preview

export interface OptionField<Key extends string = string> {
  key: Key
  kind: OptionKind
  min?: number
  /** A number that may be left out. */
  optional?: boolean
  placeholder?: string
  /** How what was typed will look: of a content behind a tab, of anything else below the field. */
  preview?: 'page' | 'footer' | 'image'
  /** What a switch asks before it is switched off. */
  offQuestion?: (t: TFunction) => { title: string; content: string }
  /** What a switch rests on, and what is said while that is empty. */
  needs?: { keys: readonly OptionKey[]; problem: (t: TFunction) => string }
  /** What is said of a JSON text that is none. */
  badJson?: (t: TFunction) => string
}

/** Options that stand in one card and are saved together. */
export interface Area<Key extends string = string> {
  name: AreaName
  fields: readonly OptionField<Key>[]
  /** Why nothing of it can be saved now, whatever was changed. */
  refuse?: (stored: OptionTexts, t: TFunction) => string | undefined
}
