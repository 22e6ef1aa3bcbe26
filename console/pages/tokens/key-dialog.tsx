import Button from '@arco-design/web-react/es/Button'
import Input from '@arco-design/web-react/es/Input'
import Modal from '@arco-design/web-react/es/Modal'
import { useTranslation } from 'react-i18next'
import { fullKeyOf, type Token } from '../../api/tokens.ts'

/** Shows the complete key of a token. Part of the page, so it closes when the user leaves the page or signs out. */
export function KeyDialog({ token, onClose }: { token: Token | undefined; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Modal
      title={token?.name}
      visible={token !== undefined}
      onCancel={onClose}
      focusLock
      footer={
        <Button type="primary" onClick={onClose}>
          {t('action.close')}
        </Button>
      }
    >
      {token && <Input readOnly value={fullKeyOf(token)} aria-label={t('token.key')} />}
    </Modal>
  )
}
