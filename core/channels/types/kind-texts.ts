import type { Language } from '../../messages/language.ts'
import { type CoreTextId, textIn } from '../../messages/texts.ts'

/** The text of a type's name, if the name is not the same in all languages. */
export type NameTextId = Extract<CoreTextId, `channelName.${string}`>
/** A text about a field of a channel, such as the format of its key. */
export type FieldTextId = Extract<CoreTextId, `channelField.${string}`>

/** Returns a type's name in one language. */
export function kindName({ name, nameText }: { name: string; nameText?: NameTextId }, language: Language): string {
  return nameText === undefined ? name : textIn(language, nameText)
}
