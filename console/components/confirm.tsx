import Message from '@arco-design/web-react/es/Message'
import { type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { loadWithRetry } from '../load-with-retry.ts'

export interface Question {
  title: string
  content?: ReactNode
  /** Text of the confirm button; default "OK". */
  okText?: string
  /** The action is destructive: the button is red. */
  danger?: boolean
  /** The dialog stays open and busy until this settles. `onOk` must report its own errors. */
  onOk: () => unknown
}

/** Returns a function that asks for confirmation, one question at a time. The dialog traps the focus and restores it. */
export function useConfirm(): (question: Question) => void {
  const { t } = useTranslation()
  const asking = useRef(false)
  const decided = () => {
    asking.current = false
  }
  return (question) => {
    // A second click may arrive before the dialog opens.
    if (asking.current) return
    asking.current = true
    void loadModal().then(
      (Modal) => ask(Modal, question),
      () => {
        decided()
        Message.error(t('page.unloadedHint'))
      },
    )
  }

  function ask(Modal: Dialogs, { title, content, okText, danger = false, onOk }: Question) {
    let doing: Promise<void> | undefined
    Modal.confirm({
      title,
      content: content ?? t('action.unsure'),
      okText: okText ?? t('action.confirm'),
      cancelText: t('action.cancel'),
      okButtonProps: danger ? { status: 'danger' } : {},
      autoFocus: true,
      focusLock: true,
      onOk: () => {
        doing ??= settled(onOk).finally(decided)
        return doing
      },
      onCancel: decided,
      afterClose: decided,
    })
  }
}

type Dialogs = Awaited<ReturnType<typeof loadModal>>

/** Loads the dialog code with the first question, so that lists do not wait for it. */
const loadModal = () => loadWithRetry(async () => (await import('@arco-design/web-react/es/Modal')).default)

async function settled(run: () => unknown): Promise<void> {
  try {
    await run()
  } catch {
    // `onOk` has reported the error already; the dialog closes.
  }
}
