import Modal from '@arco-design/web-react/es/Modal'
import { useTranslation } from 'react-i18next'

interface Props {
  visible: boolean
  onLeave: () => void
  onStay: () => void
}

/** Asks whether to discard the input. */
export function LeaveQuestion({ visible, onLeave, onStay }: Props) {
  const { t } = useTranslation()
  return (
    <Modal
      visible={visible}
      title={t('form.leave')}
      okText={t('form.leaveAnyway')}
      okButtonProps={{ status: 'danger' }}
      cancelText={t('form.stay')}
      onOk={onLeave}
      onCancel={onStay}
      simple
      unmountOnExit
    >
      {t('form.leaveHint')}
    </Modal>
  )
}
