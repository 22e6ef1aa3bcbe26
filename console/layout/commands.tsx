import {
  IconLanguage,
  IconMoon,
  IconPlus,
  IconPoweroff,
  IconSearch,
  IconSettings,
  IconSun,
} from '@arco-design/web-react/icon'
import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { isAdmin, isRoot } from '../access.ts'
import type { Screen } from '../screens.tsx'
import type { SessionUser } from '../session.ts'

/** Something the palette can do: go somewhere, or an act. */
export interface Command {
  key: string
  title: string
  icon: ReactNode
  /** Where it leads; else `run` is what it does. */
  to?: string
  run?: () => unknown
}

interface Situation {
  t: TFunction
  user: SessionUser | undefined
  screens: readonly Screen[]
  /** What has been typed so far. */
  typed: string
  dark: boolean
  acts: { toggleTheme: () => void; toggleLanguage: () => void; logout: () => void }
}

/** Everything that can be done now: the screens and acts, then searches for what was typed. */
export function commandsFor({ t, user, screens, typed, dark, acts }: Situation): Command[] {
  const places = screens.map(({ name, icon, paths: [to] }) => ({ key: to, title: t(`screen.${name}`), icon, to }))
  return [...places, ...settingTabs(t, user), ...creations(t, user), ...switches(t, dark, user, acts)]
    .filter(({ title, key }) => matches(`${title} ${key}`, typed))
    .concat(searches(t, user, typed))
}

function matches(text: string, typed: string): boolean {
  const lower = text.toLowerCase()
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word))
}

function settingTabs(t: TFunction, user: SessionUser | undefined): Command[] {
  if (!isRoot(user)) return []
  const tabs = ['operation', 'system', 'other'] as const
  return tabs.map((tab) => ({
    key: `setting ${tab}`,
    title: `${t('screen.setting')}: ${t(`palette.tab.${tab}`)}`,
    icon: <IconSettings />,
    to: `/setting?tab=${tab}`,
  }))
}

function creations(t: TFunction, user: SessionUser | undefined): Command[] {
  if (!isAdmin(user)) return []
  return [{ key: 'add channel', title: t('palette.addChannel'), icon: <IconPlus />, to: '/channel/add' }]
}

function switches(
  t: TFunction,
  dark: boolean,
  user: SessionUser | undefined,
  { toggleTheme, toggleLanguage, logout }: Situation['acts'],
): Command[] {
  const leave = { key: 'logout', title: t('layout.logout'), icon: <IconPoweroff />, run: logout }
  return [
    {
      key: 'theme',
      title: t(dark ? 'layout.light' : 'layout.dark'),
      icon: dark ? <IconSun /> : <IconMoon />,
      run: toggleTheme,
    },
    { key: 'language', title: t('palette.language'), icon: <IconLanguage />, run: toggleLanguage },
    ...(user ? [leave] : []),
  ]
}

/** Lists that can be asked for a text. */
function searches(t: TFunction, user: SessionUser | undefined, typed: string): Command[] {
  const text = typed.trim()
  if (text === '' || !user) return []
  const found = (key: string, title: string, to: string): Command => ({ key, title, icon: <IconSearch />, to })
  const word = encodeURIComponent(text)
  const own = [
    found('find token', t('palette.findToken', { text }), `/token?keyword=${word}`),
    found('find model', t('palette.findModel', { text }), `/pricing?keyword=${word}`),
  ]
  if (!isAdmin(user)) return own
  return [
    found('find channel', t('palette.findChannel', { text }), `/channel?keyword=${word}`),
    found('find user', t('palette.findUser', { text }), `/user?keyword=${word}`),
    ...own,
  ]
}
