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
import type { Access } from './access.ts'
import type { Status } from './api/status.ts'
import { allChatLinks } from './chat-links.ts'
import type { Catalogue } from './locales/zh.ts'

type ScreenName = keyof Catalogue['screen']

export interface Screen {
  name: ScreenName
  /** The first is the canonical path. */
  paths: readonly [string, ...string[]]
  access: Access
  /** Loads the code when the screen is first opened. */
  load: () => Promise<{ default: ComponentType }>
  /** An account page, which renders before most texts are loaded. */
  entry?: boolean
  icon?: ReactNode
  /** Location: top bar, side menu, or hidden. */
  menu?: 'top' | 'side'
  /** Shown only if the platform has enabled it. */
  when?: (status: Status) => boolean
}

/** All screens in menu order. The router, the menus and the command palette use this list. */
export const SCREENS: readonly Screen[] = [
  {
    name: 'home',
    paths: ['/'],
    access: 'anyone',
    load: () => import('./pages/home/index.tsx'),
    icon: <IconHome />,
    menu: 'top',
  },
  {
    name: 'playground',
    paths: ['/playground'],
    access: 'user',
    load: () => import('./pages/playground/index.tsx'),
    icon: <IconRobot />,
    menu: 'side',
  },
  {
    name: 'channel',
    paths: ['/channel', '/channel/add', '/channel/edit/:id'],
    access: 'admin',
    load: () => import('./pages/channels/index.tsx'),
    icon: <IconCommon />,
    menu: 'side',
  },
  {
    name: 'chat',
    paths: ['/chat', '/chat/:id'],
    access: 'anyone',
    load: () => import('./pages/chat/index.tsx'),
    icon: <IconMessage />,
    menu: 'side',
    when: (status) => Boolean(allChatLinks(status)?.length),
  },
  {
    name: 'token',
    paths: ['/token'],
    access: 'user',
    load: () => import('./pages/tokens/index.tsx'),
    icon: <IconLock />,
    menu: 'side',
  },
  {
    name: 'team',
    paths: ['/team', '/team/:id'],
    access: 'user',
    load: () => import('./pages/teams/index.tsx'),
    icon: <IconIdcard />,
    menu: 'side',
  },
  { name: 'start', paths: ['/start'], access: 'user', load: () => import('./pages/first-steps/index.tsx') },
  {
    name: 'dashboard',
    paths: ['/detail'],
    access: 'user',
    load: () => import('./pages/dashboard/index.tsx'),
    icon: <IconDashboard />,
    menu: 'side',
    when: ({ enable_data_export }) => enable_data_export,
  },
  {
    name: 'redemption',
    paths: ['/redemption'],
    access: 'admin',
    load: () => import('./pages/redemption/index.tsx'),
    icon: <IconGift />,
    menu: 'side',
  },
  {
    name: 'wallet',
    paths: ['/topup'],
    access: 'user',
    load: () => import('./pages/wallet/index.tsx'),
    icon: <IconTags />,
    menu: 'side',
  },
  {
    name: 'user',
    paths: ['/user', '/user/edit/:id'],
    access: 'admin',
    load: () => import('./pages/users/index.tsx'),
    icon: <IconUserGroup />,
    menu: 'side',
  },
  {
    name: 'limit',
    paths: ['/limit'],
    access: 'admin',
    load: () => import('./pages/limits/index.tsx'),
    icon: <IconThunderbolt />,
    menu: 'side',
  },
  {
    name: 'log',
    paths: ['/log'],
    access: 'user',
    load: () => import('./pages/logs/index.tsx'),
    icon: <IconFile />,
    menu: 'side',
  },
  {
    name: 'request',
    paths: ['/request', '/request/:id'],
    access: 'user',
    load: () => import('./pages/request/index.tsx'),
  },
  {
    name: 'drawing',
    paths: ['/midjourney'],
    access: 'user',
    load: () => import('./pages/drawings/index.tsx'),
    icon: <IconImage />,
    menu: 'side',
    when: ({ enable_drawing }) => enable_drawing,
  },
  {
    name: 'task',
    paths: ['/task'],
    access: 'user',
    load: () => import('./pages/tasks/index.tsx'),
    icon: <IconApps />,
    menu: 'side',
    when: ({ enable_task }) => enable_task,
  },
  {
    name: 'audit',
    paths: ['/audit'],
    access: 'root',
    load: () => import('./pages/audit/index.tsx'),
    icon: <IconSafe />,
    menu: 'side',
  },
  {
    name: 'setting',
    paths: ['/setting'],
    access: 'user',
    load: () => import('./pages/settings/index.tsx'),
    icon: <IconSettings />,
    menu: 'side',
  },
  {
    name: 'pricing',
    paths: ['/pricing'],
    access: 'anyone',
    load: () => import('./pages/pricing/index.tsx'),
    icon: <IconBook />,
    menu: 'top',
  },
  {
    name: 'about',
    paths: ['/about'],
    access: 'anyone',
    load: () => import('./pages/about/index.tsx'),
    icon: <IconInfoCircle />,
    menu: 'top',
  },
  { name: 'login', paths: ['/login'], entry: true, access: 'anyone', load: () => import('./pages/login/index.tsx') },
  {
    name: 'register',
    paths: ['/register'],
    entry: true,
    access: 'anyone',
    load: () => import('./pages/register/index.tsx'),
  },
  { name: 'reset', paths: ['/reset'], entry: true, access: 'anyone', load: () => import('./pages/reset/index.tsx') },
  {
    name: 'resetConfirm',
    paths: ['/user/reset'],
    entry: true,
    access: 'anyone',
    load: () => import('./pages/reset-confirm/index.tsx'),
  },
  {
    name: 'profile',
    paths: ['/user/edit'],
    access: 'user',
    load: () => import('./pages/profile/index.tsx'),
  },
  {
    name: 'oauth',
    paths: ['/oauth/:provider'],
    entry: true,
    access: 'anyone',
    load: () => import('./pages/oauth/index.tsx'),
  },
  { name: 'chat2link', paths: ['/chat2link'], access: 'user', load: () => import('./pages/chat2link/index.tsx') },
]
