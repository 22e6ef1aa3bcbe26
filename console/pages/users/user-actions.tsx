import Button from '@arco-design/web-react/es/Button'
import Menu from '@arco-design/web-react/es/Menu'
import { IconDelete, IconDown, IconEdit, IconMore, IconUp } from '@arco-design/web-react/icon'
import { useTranslation } from 'react-i18next'
import { USER_STATUS, type User } from '../../api/users.ts'
import { LinkButton } from '../../components/link-button.tsx'
import { DropdownMenu } from '../../layout/dropdown-menu.tsx'
import { session } from '../../session.ts'
import { useStore } from '../../store.ts'
import { actionsFor, mayManage } from './levels.ts'

export interface UserActs {
  onEdit: (user: User) => void
  /** Shown as done at once. */
  onSwitch: (user: User, action: 'enable' | 'disable') => void
  /** Asks first. */
  onAct: (user: User, action: 'promote' | 'demote' | 'delete') => void
}

const ICONS = { promote: <IconUp />, demote: <IconDown />, delete: <IconDelete /> } as const

/** What can be done with one user: what the signed-in person's level does not reach is not offered. */
export function UserActions({ user, onEdit, onSwitch, onAct }: UserActs & { user: User }) {
  const { t } = useTranslation()
  const { user: me } = useStore(session)
  if (user.DeletedAt !== null) return null
  if (!mayManage(me, user)) {
    return user.id === me?.id ? (
      <LinkButton size="mini" type="text" icon={<IconEdit />} to="/user/edit">
        {t('screen.profile')}
      </LinkButton>
    ) : (
      <span className="muted">{t('user.outOfReach')}</span>
    )
  }
  const actions = actionsFor(me, user)
  const further = (['promote', 'demote', 'delete'] as const).filter((action) => actions.includes(action))
  return (
    <div className="row-actions">
      {(['enable', 'disable'] as const)
        .filter((action) => actions.includes(action))
        .map((action) => (
          <Button
            key={action}
            size="mini"
            type="text"
            disabled={user.status === USER_STATUS.blocked}
            aria-label={`${t(`action.${action}`)} ${user.username}`}
            onClick={() => onSwitch(user, action)}
          >
            {t(`action.${action}`)}
          </Button>
        ))}
      <Button
        size="mini"
        type="text"
        icon={<IconEdit />}
        aria-label={`${t('action.edit')} ${user.username}`}
        onClick={() => onEdit(user)}
      >
        {t('action.edit')}
      </Button>
      {further.length > 0 && (
        <DropdownMenu
          button={
            <Button size="mini" type="text" icon={<IconMore />} aria-label={`${t('action.more')} ${user.username}`} />
          }
        >
          {further.map((action) => (
            <Menu.Item key={action} className={action === 'delete' ? 'danger' : ''} onClick={() => onAct(user, action)}>
              {ICONS[action]} {t(`user.action.${action}`)}
            </Menu.Item>
          ))}
        </DropdownMenu>
      )}
    </div>
  )
}
