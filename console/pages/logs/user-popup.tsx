import Descriptions from '@arco-design/web-react/es/Descriptions'
import Modal from '@arco-design/web-react/es/Modal'
import { useTranslation } from 'react-i18next'
import type { getUser } from '../../api/users.ts'
import { Count } from '../../components/count.tsx'
import { Quota } from '../../components/quota.tsx'

interface Props {
  /** The user to show. Undefined closes the popup. */
  user: Awaited<ReturnType<typeof getUser>> | undefined
  onClose: () => void
}

export function UserPopup({ user, onClose }: Props) {
  const { t } = useTranslation()
  return (
    <Modal
      title={t('log.userInfo.title')}
      visible={user !== undefined}
      onCancel={onClose}
      footer={null}
      autoFocus={false}
    >
      {user && (
        <Descriptions
          column={1}
          data={[
            { label: t('log.userInfo.username'), value: user.username },
            { label: t('log.userInfo.balance'), value: <Quota value={user.quota} /> },
            { label: t('log.userInfo.used'), value: <Quota value={user.used_quota} /> },
            { label: t('log.userInfo.requests'), value: <Count value={user.request_count} /> },
          ]}
        />
      )}
    </Modal>
  )
}
