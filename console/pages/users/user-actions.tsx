import Menu from '@arco-design/web-react/es/Menu'
import {
  IconApps,
  IconDelete,
  IconDown,
  IconEdit,
  IconFile,
  IconPause,
  IconPlayArrow,
  IconSafe,
  IconUp,
} from '@arco-design/web-react/icon'
import { useTranslation } from 'react-i18next'
import { isRoot } from '../../access.ts'
import { USER_STATUS, type User } from '../../api/users.ts'
import { RowMenu } from '../../components/data-table/row-menu.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { useNavigate } from '../../router/hooks.ts'
import { session } from '../../session.ts'
import { useStore } from '../../store.ts'
import { actionsFor, mayManage } from './levels.ts'
import { logsOf, spendOf } from './user-links.ts'

export interface UserHandlers {
  onEdit: (user: User) => void
  onKeys: (user: User) => void
  /** Runs without confirmation; the list shows the new status at once. */
  onSwitch: (user: User, action: 'enable' | 'disable') => void
  /** Runs after a confirmation. */
  onAct: (user: User, action: 'promote' | 'demote' | 'delete') => void
}

const ICONS = { promote: <IconUp />, demote: <IconDown />, delete: <IconDelete /> } as const

/** A row's menu with the actions that the signed-in user may perform on the user in this row. */
export function UserActions({ user, handlers }: { user: User; handlers: UserHandlers }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
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
  const confirmedActions = (['promote', 'demote', 'delete'] as const).filter((action) => actions.includes(action))
  return (
    <RowMenu name={user.username} mainAction={{ text: t('action.edit'), onClick: () => handlers.onEdit(user) }}>
      <Menu.Item key="logs" onClick={() => void navigate(logsOf(user))}>
        <IconFile /> {t('user.toLogs')}
      </Menu.Item>
      <Menu.Item key="spend" onClick={() => void navigate(spendOf(user))}>
        <IconApps /> {t('user.toSpend')}
      </Menu.Item>
      {isRoot(me) && (
        <Menu.Item key="keys" onClick={() => handlers.onKeys(user)}>
          <IconSafe /> {t('user.toKeys')}
        </Menu.Item>
      )}
      {(['enable', 'disable'] as const)
        .filter((action) => actions.includes(action))
        .map((action) => (
          <Menu.Item
            key={action}
            disabled={user.status === USER_STATUS.blocked}
            aria-disabled={user.status === USER_STATUS.blocked}
            onClick={() => handlers.onSwitch(user, action)}
          >
            {action === 'enable' ? <IconPlayArrow /> : <IconPause />} {t(`action.${action}`)}
          </Menu.Item>
        ))}
      {confirmedActions.map((action) => (
        <Menu.Item
          key={action}
          className={action === 'delete' ? 'danger' : ''}
          onClick={() => handlers.onAct(user, action)}
        >
          {ICONS[action]} {t(`user.action.${action}`)}
        </Menu.Item>
      ))}
    </RowMenu>
  )
}
