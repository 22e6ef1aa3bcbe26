import {
  IconApps,
  IconBook,
  IconCommon,
  IconDashboard,
  IconFile,
  IconGift,
  IconHome,
  IconIdcard,
  IconImage,
  IconInfoCircle,
  IconLock,
  IconMessage,
  IconRobot,
  IconSafe,
  IconSettings,
  IconTags,
  IconThunderbolt,
  IconUserGroup,
} from '@arco-design/web-react/icon'
import type { ComponentType, ReactNode } from 'react'
import type { ScreenAccess } from './access.ts'
import type { Status } from './api/status.ts'
import { allChatLinks } from './chat-links.ts'
import type { Catalogue } from './language.ts'

type ScreenName = keyof Catalogue['screen']

export interface Screen {
  name: ScreenName
  /** Menus open the first path. */
  paths: readonly [string, ...string[]]
  access: ScreenAccess
  /** Loads the code when the screen is first opened. */
  load: () => Promise<{ default: ComponentType }>
  /** True for pages of sign-in, registration and password reset. These pages render before most texts are loaded. */
  entry?: boolean
  icon?: ReactNode
  /** The menu that contains the screen: the top bar or the side menu. Absent: in no menu. */
  menu?: 'top' | 'side'
  /** Whether menus show the screen. Absent: always. */
  when?: (status: Status) => boolean
}

/** Returns a function that creates a screen in a menu. */
const screenInMenu =
  (menu: 'top' | 'side') =>
  (
    name: ScreenName,
    paths: Screen['paths'],
    access: ScreenAccess,
    icon: ReactNode,
    load: Screen['load'],
    when?: Screen['when'],
  ): Screen => ({ name, paths, access, icon, load, menu, ...(when && { when }) })
const side = screenInMenu('side')
const top = screenInMenu('top')

/** All screens in menu order. The router, the menus and the command palette use this list. */
export const SCREENS: readonly Screen[] = [
  top('home', ['/'], 'anyone', <IconHome />, () => import('./pages/home/index.tsx')),
  side('playground', ['/playground'], 'user', <IconRobot />, () => import('./pages/playground/index.tsx')),
  side(
    'channel',
    ['/channel', '/channel/add', '/channel/edit/:id'],
    'admin',
    <IconCommon />,
    () => import('./pages/channels/index.tsx'),
  ),
  side(
    'chat',
    ['/chat', '/chat/:id'],
    'anyone',
    <IconMessage />,
    () => import('./pages/chat/index.tsx'),
    (status) => Boolean(allChatLinks(status)?.length),
  ),
  side('token', ['/token'], 'user', <IconLock />, () => import('./pages/tokens/index.tsx')),
  side('team', ['/team', '/team/:id'], 'user', <IconIdcard />, () => import('./pages/teams/index.tsx')),
  { name: 'start', paths: ['/start'], access: 'user', load: () => import('./pages/first-steps/index.tsx') },
  side(
    'dashboard',
    ['/detail'],
    'user',
    <IconDashboard />,
    () => import('./pages/dashboard/index.tsx'),
    ({ enable_data_export }) => enable_data_export,
  ),
  side('redemption', ['/redemption'], 'admin', <IconGift />, () => import('./pages/redemption/index.tsx')),
  side('wallet', ['/topup'], 'user', <IconTags />, () => import('./pages/wallet/index.tsx')),
  side('user', ['/user', '/user/edit/:id'], 'admin', <IconUserGroup />, () => import('./pages/users/index.tsx')),
  side('limit', ['/limit'], 'admin', <IconThunderbolt />, () => import('./pages/limits/index.tsx')),
  side('log', ['/log'], 'user', <IconFile />, () => import('./pages/logs/index.tsx')),
  {
    name: 'request',
    paths: ['/request', '/request/:id'],
    access: 'user',
    load: () => import('./pages/request/index.tsx'),
  },
  side(
    'drawing',
    ['/midjourney'],
    'user',
    <IconImage />,
    () => import('./pages/drawings/index.tsx'),
    ({ enable_drawing }) => enable_drawing,
  ),
  side(
    'task',
    ['/task'],
    'user',
    <IconApps />,
    () => import('./pages/tasks/index.tsx'),
    ({ enable_task }) => enable_task,
  ),
  side('audit', ['/audit'], 'root', <IconSafe />, () => import('./pages/audit/index.tsx')),
  side('setting', ['/setting'], 'user', <IconSettings />, () => import('./pages/settings/index.tsx')),
  top('pricing', ['/pricing'], 'anyone', <IconBook />, () => import('./pages/pricing/index.tsx')),
  top('about', ['/about'], 'anyone', <IconInfoCircle />, () => import('./pages/about.tsx')),
  { name: 'login', paths: ['/login'], entry: true, access: 'anyone', load: () => import('./pages/login/index.tsx') },
  { name: 'register', paths: ['/register'], entry: true, access: 'anyone', load: () => import('./pages/register.tsx') },
  { name: 'reset', paths: ['/reset'], entry: true, access: 'anyone', load: () => import('./pages/reset.tsx') },
  {
    name: 'resetConfirm',
    paths: ['/user/reset'],
    entry: true,
    access: 'anyone',
    load: () => import('./pages/reset-confirm.tsx'),
  },
  { name: 'profile', paths: ['/user/edit'], access: 'user', load: () => import('./pages/profile/index.tsx') },
  {
    name: 'oauth',
    paths: ['/oauth/:provider'],
    entry: true,
    access: 'anyone',
    load: () => import('./pages/oauth/index.tsx'),
  },
  { name: 'chat2link', paths: ['/chat2link'], access: 'user', load: () => import('./pages/chat2link.tsx') },
]
