import Skeleton from '@arco-design/web-react/es/Skeleton'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { getSelf } from '../../api/users.ts'
import { BoundAccounts } from '../../components/bound-accounts.tsx'
import { LoadFailure } from '../../components/load-failure.tsx'
import { PageFrame } from '../../components/page.tsx'
import './profile.css'
import { ProfileForm } from './profile-form.tsx'

/** The page on which users edit their account. */
export default function ProfilePage() {
  const { t } = useTranslation()
  const self = useQuery({
    queryKey: ['user', 'self'],
    queryFn: ({ signal }) => getSelf(signal),
    refetchOnWindowFocus: false,
  })
  return (
    <PageFrame title={t('screen.profile')}>
      <div className="profile">
        {self.isPending && <Skeleton animation text={{ rows: 8, width: '100%' }} />}
        {self.isError && <LoadFailure error={self.error} onRetry={() => void self.refetch()} />}
        {self.data && (
          <>
            <section className="panel">
              <p className="panel-note">{t('user.profileHint')}</p>
              <ProfileForm self={self.data} />
            </section>
            <section className="panel">
              <BoundAccounts user={self.data} />
            </section>
          </>
        )}
      </div>
    </PageFrame>
  )
}
