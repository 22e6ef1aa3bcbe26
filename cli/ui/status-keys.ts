import type { TextId, TextValues } from '../texts.ts'
import { bindKey, type KeyBinding } from './bindings.ts'
import type { RowControl } from './list-screen.tsx'
import { useUi } from './ui-context.ts'

/** Ids of two texts: about one row, and about several rows. Texts about several rows have the value `count`. */
type TextPair = readonly [one: TextId, several: TextId]

interface StatusKeys<T> {
  isEnabled(row: T): boolean
  setEnabled(row: T, isEnabled: boolean): Promise<unknown>
  remove(row: T): Promise<unknown>
  /** Returns the values of the texts about one row. */
  valuesOf(row: T): TextValues
  texts: Record<'updating' | 'enabled' | 'disabled' | 'deleting' | 'deleted' | 'confirmDelete', TextPair> & {
    /** Question before rows are disabled; absent if no confirmation is needed. */
    confirmDisable?: TextPair
  }
}

/**
 * Returns a function that returns two keys for the chosen rows. The first key disables all of them if any of them is
 * enabled, else enables them. The second key deletes them.
 */
export function useStatusKeys<T>({ isEnabled, setEnabled, remove, valuesOf, texts }: StatusKeys<T>) {
  const { t, confirm } = useUi()
  return (list: RowControl<T>): [KeyBinding, KeyBinding] => {
    const { chosen, several } = list
    const values = chosen[0] === undefined ? {} : valuesOf(chosen[0])
    const textOf = (pair: TextPair, count = chosen.length) => (several ? t(pair[1], { count }) : t(pair[0], values))
    const disables = chosen.some(isEnabled)
    const change = () =>
      list.each({
        doing: textOf(texts.updating),
        changeOne: (row) => setEnabled(row, !disables),
        doneText: (count) => textOf(disables ? texts.disabled : texts.enabled, count),
      })
    const deleteAll = () =>
      list.each({
        doing: textOf(texts.deleting),
        changeOne: remove,
        doneText: (count) => textOf(texts.deleted, count),
      })
    const { confirmDisable } = texts
    const changeOrAsk = confirmDisable && disables ? () => confirm(textOf(confirmDisable), change) : change
    return [
      bindKey(' ', disables ? t('ui.disable') : t('ui.enable'), changeOrAsk),
      bindKey('d', t('ui.delete'), () => confirm(textOf(texts.confirmDelete), deleteAll)),
    ]
  }
}
