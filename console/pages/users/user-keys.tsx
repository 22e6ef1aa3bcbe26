import Modal from '@arco-design/web-react/es/Modal'
import Skeleton from '@arco-design/web-react/es/Skeleton'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { listTokensOf } from '../../api/tokens.ts'
import type { User } from '../../api/users.ts'
import { DateTime } from '../../components/date-time.tsx'
import { LoadFailure } from '../../components/load-failure.tsx'
import { Quota } from '../../components/quota.tsx'

/** A dialog for root with the keys of another user. Shows the name, used quota and last use of each key. */
export function UserKeys({ user, onClose }: { user: User | undefined; onClose: () => void }) {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery({
    queryKey: ['token', 'of', user?.id],
    queryFn: ({ signal }) => listTokensOf(user?.id ?? 0, signal),
    enabled: user !== undefined,
  })
  return (
    <Modal
      title={t('user.keysOf', { name: user?.username ?? '' })}
      visible={user !== undefined}
      onCancel={onClose}
      footer={null}
      focusLock
      className="user-keys"
    >
      {error && <LoadFailure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton animation text={{ rows: 3, width: '100%' }} />}
      {data?.items.length === 0 && <p className="panel-note">{t('user.noKeys')}</p>}
      {data && data.items.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">{t('field.name')}</th>
              <th scope="col" className="table-right">
                {t('field.used')}
              </th>
              <th scope="col">{t('user.lastActive')}</th>
            </tr>
          </thead>
          <tbody>
            {data.items.map(({ id, name, used_quota, accessed_time }) => (
              <tr key={id}>
                <td>
                  <span className="clamp">{name}</span>
                </td>
                <td className="table-right">
                  <Quota value={used_quota} />
                </td>
                <td>{accessed_time > 0 ? <DateTime seconds={accessed_time} /> : t('user.neverActive')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Modal>
  )
}
