import Avatar from '@arco-design/web-react/es/Avatar'
import Tag from '@arco-design/web-react/es/Tag'
import { IconEdit } from '@arco-design/web-react/icon'
import { useTranslation } from 'react-i18next'
import type { User } from '../../../api/users.ts'
import { Count } from '../../../components/count.tsx'
import { LabeledFigure } from '../../../components/labeled-figure.tsx'
import { LinkButton } from '../../../components/link-button.tsx'
import { Quota } from '../../../components/quota.tsx'
import { RoleTag } from '../../../components/role-tag.tsx'

/** The signed-in user's name, role and group, with balance, used quota and number of requests. */
export function AccountHeader({ self }: { self: User }) {
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
            {t('user.group')}: {self.group}
          </Tag>
        </span>
        {name !== self.username && <span className="muted">{self.username}</span>}
      </div>
      <LinkButton to="/user/edit" icon={<IconEdit />}>
        {t('screen.profile')}
      </LinkButton>
      <dl className="account-figures">
        <LabeledFigure label={t('personal.balance')}>
          <Quota value={self.quota} />
        </LabeledFigure>
        <LabeledFigure label={t('personal.used')}>
          <Quota value={self.used_quota} />
        </LabeledFigure>
        <LabeledFigure label={t('personal.requests')}>
          <Count value={self.request_count} />
        </LabeledFigure>
      </dl>
    </section>
  )
}
