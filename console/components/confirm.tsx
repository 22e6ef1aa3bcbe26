import Modal from '@arco-design/web-react/es/Modal'
import { type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'

interface Question {
  title: string
  content?: ReactNode
  /** What the button says that does it; else "OK". */
  okText?: string
  /** Destroys something: the button is red. */
  danger?: boolean
  /** The dialog stays open, and busy, until it is done. What fails shall say so by itself. */
  onOk: () => unknown
}

/** Answers a function that asks before something is done, one question at a time. The dialog holds the focus and gives it back. */
export function useConfirm(): (question: Question) => void {
  const { t } = useTranslation()
  const asking = useRef(false)
  const decided = () => {
    asking.current = false
  }
  return ({ title, content, okText, danger = false, onOk }) => {
    // The second click of two may come before the dialog does.
    if (asking.current) return
    asking.current = true
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

async function settled(run: () => unknown): Promise<void> {
  try {
    await run()
  } catch {
    // Said already by the one that failed: the dialog has nothing to add, and closes.
  }
}
