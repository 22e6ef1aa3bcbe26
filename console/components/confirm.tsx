import Message from '@arco-design/web-react/es/Message'
import { type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { loadWithRetry } from '../load-with-retry.ts'

export interface ConfirmQuestion {
  title: string
  content?: ReactNode
  /** Text of the confirm button; default "OK". */
  okText?: string
  /** True for a destructive action: the confirm button is red. */
  danger?: boolean
  /** Runs the action. The dialog remains open and busy until the promise settles. `onOk` must report its own errors. */
  onOk: () => unknown
}

/**
 * Returns a function that opens a dialog for confirmation. While one dialog is open, further calls do nothing. The
 * dialog traps the focus, and restores the focus when the dialog closes.
 */
export function useConfirm(): (question: ConfirmQuestion) => void {
  const { t } = useTranslation()
  const isAsking = useRef(false)
  const clearAsking = () => {
    isAsking.current = false
  }
  return (question) => {
    // A second click may arrive before the dialog opens.
    if (isAsking.current) return
    isAsking.current = true
    void loadModal().then(
      (Modal) => ask(Modal, question),
      () => {
        clearAsking()
        Message.error(t('page.unloadedHint'))
      },
    )
  }

  function ask(Modal: Dialogs, { title, content, okText, danger = false, onOk }: ConfirmQuestion) {
    let running: Promise<void> | undefined
    Modal.confirm({
      title,
      content: content ?? t('action.unsure'),
      okText: okText ?? t('action.confirm'),
      cancelText: t('action.cancel'),
      okButtonProps: danger ? { status: 'danger' } : {},
      autoFocus: true,
      focusLock: true,
      onOk: () => {
        running ??= settle(onOk).finally(clearAsking)
        return running
      },
      onCancel: clearAsking,
      afterClose: clearAsking,
    })
  }
}

type Dialogs = Awaited<ReturnType<typeof loadModal>>

/** Loads the dialog code with the first question, so that lists do not wait for this code. */
const loadModal = () => loadWithRetry(async () => (await import('@arco-design/web-react/es/Modal')).default)

async function settle(run: () => unknown): Promise<void> {
  try {
    await run()
  } catch {
    // `onOk` has reported the error already; the dialog closes.
  }
}
