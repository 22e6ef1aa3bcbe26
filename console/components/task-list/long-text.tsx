import Button from '@arco-design/web-react/es/Button'
import Modal from '@arco-design/web-react/es/Modal'
import { useTranslation } from 'react-i18next'
import './task-list.css'

/** The start of a text in a table cell. A click opens a dialog with the whole text. */
export function LongText({ title, text }: { title: string; text: string }) {
  const { t } = useTranslation()
  if (text === '') return '–'
  return (
    <Button
      type="text"
      size="mini"
      className="long-text"
      title={text}
      onClick={() =>
        Modal.info({
          title,
          content: <div className="long-text-whole">{text}</div>,
          okText: t('action.close'),
          autoFocus: true,
          focusLock: true,
        })
      }
    >
      {text}
    </Button>
  )
}
