import type { Language } from '../../messages/language.ts'
import { type CoreTextId, textIn } from '../../messages/texts.ts'

/** Id of the text of a kind's name, if the name is not the same in all languages. */
export type NameTextId = Extract<CoreTextId, `channelName.${string}`>
/** Id of a text about a field of a channel, such as the format of its key. */
export type FieldTextId = Extract<CoreTextId, `channelField.${string}`>

/** Returns a kind's name in one language. */
export function kindName({ name, nameText }: { name: string; nameText?: NameTextId }, language: Language): string {
  return nameText === undefined ? name : textIn(language, nameText)
}
