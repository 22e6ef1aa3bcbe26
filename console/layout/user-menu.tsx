import Button from '@arco-design/web-react/es/Button'
import Menu from '@arco-design/web-react/es/Menu'
import { IconBulb, IconPoweroff, IconSettings, IconUser } from '@arco-design/web-react/icon'
import { useTranslation } from 'react-i18next'
import { FIRST_STEPS } from '../first-screen.ts'
import { useNavigate } from '../router/hooks.ts'
import type { SessionUser } from '../session.ts'
import { DropdownMenu } from './dropdown-menu.tsx'
import { useLogout } from './logout.ts'

export function UserMenu({ user }: { user: SessionUser }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const logout = useLogout()
  const name = user.display_name || user.username
  return (
    <DropdownMenu
      button={
        <Button type="text" className="tool user-button" icon={<IconUser />} aria-label={t('layout.user', { name })}>
          <span className="user-name">{name}</span>
        </Button>
      }
    >
      <Menu.Item key="profile" onClick={() => void navigate('/setting')}>
        <IconSettings /> {t('layout.profile')}
      </Menu.Item>
      <Menu.Item key="start" onClick={() => void navigate(FIRST_STEPS)}>
        <IconBulb /> {t('screen.start')}
      </Menu.Item>
      <Menu.Item key="logout" onClick={() => logout.mutate()}>
        <IconPoweroff /> {t('layout.logout')}
      </Menu.Item>
    </DropdownMenu>
  )
}
