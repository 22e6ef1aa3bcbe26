import { useAppLifecycle } from './app-lifecycle.ts'
import { useUi } from './ui-context.ts'

/**
 * Returns a function that copies to the terminal's clipboard and shows a message. The message has `what` in place of
 * the text, because API keys must not be shown.
 */
export function useCopy(): (what: string, text: string) => void {
  const { notify, t } = useUi()
  const { copy } = useAppLifecycle()
  return (what, text) => {
    copy(text)
    notify(t('ui.copied', { what }), 'good')
  }
}
