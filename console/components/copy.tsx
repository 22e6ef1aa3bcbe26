import Input from '@arco-design/web-react/es/Input'
import Message from '@arco-design/web-react/es/Message'
import { useTranslation } from 'react-i18next'
import { loadWithRetry } from '../load-with-retry.ts'

/** Returns a function that copies text, or shows it in a dialog if the browser does not allow copying. */
export function useCopy(): (text: string, done?: string) => Promise<void> {
  const { t } = useTranslation()
  return async (text, done = t('action.copied')) => {
    if (await writeText(text)) {
      Message.success(done)
      return
    }
    const { default: Modal } = await loadWithRetry(() => import('@arco-design/web-react/es/Modal'))
    Modal.info({
      title: t('action.copyFailed'),
      content: (
        <Input.TextArea defaultValue={text} readOnly autoSize={{ maxRows: 10 }} aria-label={t('action.copyFailed')} />
      ),
      okText: t('action.close'),
    })
  }
}

/** Returns false without a clipboard: on insecure origins, in old browsers, or if the user has denied access. */
async function writeText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
