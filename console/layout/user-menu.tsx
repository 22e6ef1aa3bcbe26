import Button from '@arco-design/web-react/es/Button'
import Menu from '@arco-design/web-react/es/Menu'
import Message from '@arco-design/web-react/es/Message'
import { IconPoweroff, IconUser } from '@arco-design/web-react/icon'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { failureText } from '../api/failure.ts'
import { logout } from '../api/users.ts'
import { endSession, type SessionUser } from '../session.ts'
import { DropdownMenu } from './dropdown-menu.tsx'

export function UserMenu({ user }: { user: SessionUser }) {
  const { t } = useTranslation()
  const leaving = useMutation({
    mutationFn: logout,
    onSuccess: () => endSession({ expired: false }),
    onError: (error) => Message.error(failureText(t, error)),
  })
  const name = user.display_name || user.username
  return (
    <DropdownMenu
      button={
        <Button type="text" className="tool user-button" icon={<IconUser />} aria-label={t('topBar.user', { name })}>
          <span className="user-name">{name}</span>
        </Button>
      }
    >
      <Menu.Item key="logout" onClick={() => leaving.mutate()}>
        <IconPoweroff /> {t('topBar.logout')}
      </Menu.Item>
    </DropdownMenu>
  )
}
