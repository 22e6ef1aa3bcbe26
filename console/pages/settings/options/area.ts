import type { TFunction } from 'i18next'
import type { OptionTexts } from '../../../api/options.ts'
import type { Catalogue } from '../../../locales/zh.ts'

/** The options with a label in both languages. */
export type OptionKey = keyof Catalogue['option']['label']
export type AreaName = keyof Catalogue['option']['area']

/** The control of an option. The server stores all values as text. */
export type OptionKind =
  | 'switch'
  | 'integer'
  | 'number'
  | 'quota'
  | 'text'
  | 'address' // stored without a trailing slash
  | 'secret' // never shown; empty keeps the value
  | 'steps' // hour, day or week
  | 'lines' // one entry per line
  | 'tags' // comma-separated entries
  | 'json'
  | 'content' // Markdown, HTML or a URL, with a preview

export interface OptionField<Key extends string = string> {
  key: Key
  kind: OptionKind
  min?: number
  /** The number may be empty. */
  optional?: boolean
  placeholder?: string
  /** Preview of the input: in a tab for content, otherwise below the field. */
  preview?: 'page' | 'footer' | 'image'
  /** Confirmation before switching off. */
  offQuestion?: (t: TFunction) => { title: string; content: string }
  /** Options that a switch requires, and the error while they are empty. */
  needs?: { keys: readonly OptionKey[]; problem: (t: TFunction) => string }
  /** Error for invalid JSON. */
  badJson?: (t: TFunction) => string
}

/** Options that share a card and are saved together. */
export interface Area<Key extends string = string> {
  name: AreaName
  fields: readonly OptionField<Key>[]
  /** Returns why the area cannot be saved now. */
  refuse?: (stored: OptionTexts, t: TFunction) => string | undefined
}
