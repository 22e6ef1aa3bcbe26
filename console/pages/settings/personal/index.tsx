import { useQuery } from '@tanstack/react-query'
import { isAdmin, isRoot } from '../../../access.ts'
import { getSelf } from '../../../api/users.ts'
import { LoadFailure } from '../../../components/load-failure.tsx'
import { LongPageSkeleton } from '../../../components/long-page-skeleton.tsx'
import { NoticeTargetList } from '../../../components/notices/notices.tsx'
import { session } from '../../../session.ts'
import { useStore } from '../../../store.ts'
import { AccountHeader } from './account-header.tsx'
import { Bindings } from './bindings.tsx'
import { Invites } from './invites.tsx'
import { UsableModels } from './models.tsx'
import './personal.css'
import { Security } from './security.tsx'

/** The user's own settings. Administrators also see the gateway's notice targets. */
export default function PersonalSettings() {
  const { user } = useStore(session)
  const self = useQuery({ queryKey: ['user', 'self'], queryFn: ({ signal }) => getSelf(signal) })
  if (self.data) {
    return (
      <div className="personal">
        <AccountHeader self={self.data} />
        <Invites self={self.data} />
        <UsableModels />
        <Bindings self={self.data} />
        <Security self={self.data} />
        <NoticeTargetList />
        {isAdmin(user) && <NoticeTargetList gateway editable={isRoot(user)} />}
      </div>
    )
  }
  if (self.isPending) return <LongPageSkeleton />
  return <LoadFailure error={self.error} onRetry={() => void self.refetch()} />
}
