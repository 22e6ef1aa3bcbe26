import Input from '@arco-design/web-react/es/Input'
import Message from '@arco-design/web-react/es/Message'
import Modal from '@arco-design/web-react/es/Modal'
import { useTranslation } from 'react-i18next'

/** Answers a function that copies a text; where the browser refuses, a dialog shows the text to be copied by hand. */
export function useCopy(): (text: string, done?: string) => Promise<void> {
  const { t } = useTranslation()
  return async (text, done = t('action.copied')) => {
    if (await written(text)) {
      Message.success(done)
      return
    }
    Modal.info({
      title: t('action.copyFailed'),
      content: (
        <Input.TextArea defaultValue={text} readOnly autoSize={{ maxRows: 10 }} aria-label={t('action.copyFailed')} />
      ),
      okText: t('action.close'),
    })
  }
}

/** False without a secure address, in old browsers, and when the person has forbidden it. */
async function written(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
