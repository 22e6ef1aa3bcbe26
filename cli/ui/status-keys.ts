import { bindKey, type KeyBinding } from './bindings.ts'
import type { RowControl } from './list-screen.tsx'
import { useUi } from './ui-context.ts'

/** Return a text about one row, and a text about several rows. */
type TextPair<T> = readonly [one: (row: T) => string, several: (count: number) => string]

interface StatusKeys<T> {
  isEnabled(row: T): boolean
  setEnabled(row: T, isEnabled: boolean): Promise<unknown>
  remove(row: T): Promise<unknown>
  texts: Record<'updating' | 'enabled' | 'disabled' | 'deleting' | 'deleted' | 'confirmDelete', TextPair<T>> & {
    /** Question before rows are disabled; absent if no confirmation is needed. */
    confirmDisable?: TextPair<T>
  }
}

/**
 * Returns a function that returns two keys for the chosen rows. The first key disables all of them if any of them is
 * enabled, else enables them. The second key deletes them.
 */
export function useStatusKeys<T>({ isEnabled, setEnabled, remove, texts }: StatusKeys<T>) {
  const { t, confirm } = useUi()
  return (list: RowControl<T>): [KeyBinding, KeyBinding] => {
    const { chosen, several } = list
    const textOf = ([ofOne, ofSeveral]: TextPair<T>, count = chosen.length) =>
      several || chosen[0] === undefined ? ofSeveral(count) : ofOne(chosen[0])
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
