import Menu from '@arco-design/web-react/es/Menu'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { mayOpen } from '../access.ts'
import { useStatus } from '../api/status.ts'
import { allChatLinks } from '../chat-links.ts'
import { useLocation } from '../router/hooks.ts'
import { Link } from '../router/link.tsx'
import { matchPath } from '../router/location.ts'
import { SCREENS, type Screen } from '../screens.tsx'
import { session } from '../session.ts'
import { useStore } from '../store.ts'
import { DropdownMenu } from './dropdown-menu.tsx'

/** Returns the screens in a menu that the user may open and the platform has enabled. */
export function useScreens(menu: NonNullable<Screen['menu']>): Screen[] {
  const { data: status } = useStatus()
  const { user } = useStore(session)
  return SCREENS.filter(
    (screen) =>
      screen.menu === menu && mayOpen(user, screen.access) && (!screen.when || (status && screen.when(status))),
  )
}

/** Returns a list with the key of the open page's menu entry; an empty list if no entry matches. */
function useOpenEntry(screens: readonly Screen[]): string[] {
  const { pathname } = useLocation()
  const openScreen = screens.find(({ paths }) => paths.some((path) => matchPath(path, pathname)))
  if (openScreen?.name === 'chat') return [pathname === '/chat' ? '/chat/0' : pathname]
  return openScreen ? [openScreen.paths[0]] : []
}

interface Props {
  screens: readonly Screen[]
  label: string
  collapsed?: boolean
  onChoose?: () => void
}

/** A vertical menu of links. The user can open each link in a new tab. */
export function ScreenMenu({ screens, label, collapsed = false, onChoose }: Props) {
  const { t } = useTranslation()
  const { data: status } = useStatus()
  const openPaths = useOpenEntry(screens)
  const inChat = openPaths.some((path) => path.startsWith('/chat/'))
  const [chatsOpen, setChatsOpen] = useState(inChat)
  useEffect(() => setChatsOpen(inChat), [inChat])

  const chats = (role?: 'menuitem') =>
    status && allChatLinks(status, t)?.map((chat, place) => entry(`/chat/${place}`, chat.name, role))

  return (
    <nav aria-label={label}>
      <Menu
        role="presentation"
        selectedKeys={openPaths}
        collapse={collapsed}
        openKeys={chatsOpen ? ['/chat'] : []}
        onClickSubMenu={() => setChatsOpen(!chatsOpen)}
        className="screen-menu"
      >
        {screens.map(({ name, icon, paths: [path] }) => {
          const title = t(`screen.${name}`)
          if (name !== 'chat') return entry(path, withIcon(icon, title))
          if (collapsed) {
            return <CollapsedGroup key={path} title={title} icon={icon} current={inChat} entries={chats('menuitem')} />
          }
          return (
            <Menu.SubMenu key={path} selectable={false} title={withIcon(icon, title)}>
              {chats()}
            </Menu.SubMenu>
          )
        })}
      </Menu>
    </nav>
  )

  function entry(to: string, content: ReactNode, role?: 'menuitem') {
    const current = openPaths.includes(to) ? ('page' as const) : undefined
    const link = { wrapper: Link, to, role, 'aria-current': current, onClick: () => onChoose?.() }
    return (
      <Menu.Item key={to} {...link}>
        {content}
      </Menu.Item>
    )
  }
}

/** A submenu in a menu of icons: a button with a menu. Arco's own submenu opens only with the pointer. */
function CollapsedGroup({ title, icon, current, entries }: GroupProps) {
  return (
    <div className="screen-menu-group">
      <DropdownMenu
        sideways
        button={
          <button
            type="button"
            className={current ? 'arco-menu-item arco-menu-selected' : 'arco-menu-item'}
            aria-label={title}
            title={title}
          >
            {icon}
          </button>
        }
      >
        {entries}
      </DropdownMenu>
    </div>
  )
}

interface GroupProps {
  title: string
  icon: ReactNode
  /** True if one of the entries is the open page. */
  current: boolean
  entries: ReactNode
}

const withIcon = (icon: ReactNode, text: string) => (
  <>
    {icon}
    <span className="screen-menu-text">{text}</span>
  </>
)
