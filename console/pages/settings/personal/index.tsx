import Avatar from '@arco-design/web-react/es/Avatar'
import Button from '@arco-design/web-react/es/Button'
import Skeleton from '@arco-design/web-react/es/Skeleton'
import Tag from '@arco-design/web-react/es/Tag'
import { IconEdit } from '@arco-design/web-react/icon'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isAdmin, isRoot } from '../../../access.ts'
import { failureText } from '../../../api/failure.ts'
import { useUsableModels } from '../../../api/models.ts'
import { type User, useSelf } from '../../../api/users.ts'
import { useCopy } from '../../../components/copy.tsx'
import { Count } from '../../../components/count.tsx'
import { LabeledFigure } from '../../../components/labeled-figure.tsx'
import { LinkButton } from '../../../components/link-button.tsx'
import { LoadFailure } from '../../../components/load-failure.tsx'
import { LongPageSkeleton } from '../../../components/long-page-skeleton.tsx'
import { NoticeTargetList } from '../../../components/notices/notices.tsx'
import { Quota } from '../../../components/quota.tsx'
import { RoleTag } from '../../../components/role-tag.tsx'
import { session } from '../../../session.ts'
import { useStore } from '../../../store.ts'
import { Bindings } from './bindings.tsx'
import { Invites } from './invites.tsx'
import './personal.css'
import { Security } from './security.tsx'

/** The user's own settings. Administrators also see the gateway's notice targets. */
export default function PersonalSettings() {
  const { user } = useStore(session)
  const self = useSelf()
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

/** The signed-in user's name, role and group, with balance, used quota and number of requests. */
function AccountHeader({ self }: { self: User }) {
  const { t } = useTranslation()
  const name = self.display_name || self.username
  return (
    <section className="panel account-header" aria-labelledby="account-name">
      <Avatar size={48} className="account-avatar" aria-hidden="true">
        {[...name][0]?.toUpperCase()}
      </Avatar>
      <div className="account-who">
        <h2 id="account-name">{name}</h2>
        <span className="tag-row">
          <RoleTag role={self.role} />
          <Tag size="small">ID: {self.id}</Tag>
          <Tag size="small">
            {t('field.group')}: {self.group}
          </Tag>
        </span>
        {name !== self.username && <span className="muted">{self.username}</span>}
      </div>
      <LinkButton to="/user/edit" icon={<IconEdit />}>
        {t('screen.profile')}
      </LinkButton>
      <dl className="account-figures">
        <LabeledFigure label={t('wallet.balance')}>
          <Quota value={self.quota} />
        </LabeledFigure>
        <LabeledFigure label={t('personal.used')}>
          <Quota value={self.used_quota} />
        </LabeledFigure>
        <LabeledFigure label={t('field.requests')}>
          <Count value={self.request_count} />
        </LabeledFigure>
      </dl>
    </section>
  )
}

const COLLAPSED_COUNT = 10

/** The models that the user may call. A click copies a name. */
function UsableModels() {
  const { t } = useTranslation()
  const copy = useCopy()
  const models = useUsableModels()
  const [open, setOpen] = useState(false)
  const names = models.data ?? []
  const hiddenCount = names.length - COLLAPSED_COUNT
  return (
    <section className="panel" aria-labelledby="usable-models">
      <h2 id="usable-models">{t('personal.models')}</h2>
      {models.isPending && <Skeleton animation text={{ rows: 3 }} />}
      {models.isError && (
        <p className="panel-note" role="alert">
          {failureText(t, models.error)}{' '}
          <Button size="mini" onClick={() => void models.refetch()}>
            {t('table.retry')}
          </Button>
        </p>
      )}
      {models.isSuccess && names.length === 0 && <p className="panel-note">{t('personal.noModels')}</p>}
      <ul className="usable-models">
        {(open ? names : names.slice(0, COLLAPSED_COUNT)).map((name) => (
          <li key={name}>
            <Button size="small" title={t('personal.copyModel')} onClick={() => void copy(name)}>
              {name}
            </Button>
          </li>
        ))}
      </ul>
      {hiddenCount > 0 && (
        <Button type="text" size="small" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? t('personal.fewerModels') : t('personal.moreModels', { number: hiddenCount })}
        </Button>
      )}
    </section>
  )
}
