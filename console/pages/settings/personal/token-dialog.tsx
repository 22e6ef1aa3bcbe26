import Alert from '@arco-design/web-react/es/Alert'
import Button from '@arco-design/web-react/es/Button'
import Input from '@arco-design/web-react/es/Input'
import Modal from '@arco-design/web-react/es/Modal'
import { IconCopy } from '@arco-design/web-react/icon'
import { useTranslation } from 'react-i18next'
import { useCopy } from '../../../components/copy.tsx'

/** Shows a new access token. The server does not return it again. */
export function TokenDialog({ token, onClose }: { token: string | undefined; onClose: () => void }) {
  const { t } = useTranslation()
  const copy = useCopy()
  return (
    <Modal
      title={t('personal.newToken')}
      visible={token !== undefined}
      onCancel={onClose}
      maskClosable={false}
      unmountOnExit
      footer={<Button onClick={onClose}>{t('action.close')}</Button>}
    >
      <Alert type="warning" content={t('personal.newTokenText')} className="dialog-note" />
      <div className="with-button">
        <Input readOnly value={token ?? ''} aria-label={t('personal.accessToken')} className="secret" />
        <Button type="primary" icon={<IconCopy />} onClick={() => void copy(token ?? '')}>
          {t('action.copy')}
        </Button>
      </div>
    </Modal>
  )
}
