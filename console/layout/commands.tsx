import {
  IconBook,
  IconFile,
  IconLanguage,
  IconLock,
  IconMoon,
  IconPlus,
  IconPoweroff,
  IconSearch,
  IconSettings,
  IconSun,
  IconTags,
  IconUser,
} from '@arco-design/web-react/icon'
import type { i18n, TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { isAdmin, isRoot } from '../access.ts'
import type { OptionPlace } from '../pages/settings/options/option-index.ts'
import { matchesSearch, optionLabelOf } from '../pages/settings/options/option-names.ts'
import type { Screen } from '../screens.tsx'
import type { SessionUser } from '../session.ts'
import type { SearchResults } from './search.ts'

/** A palette entry: a page or an action. */
export interface PaletteCommand {
  key: string
  title: string
  icon: ReactNode
  /** Path of the page to open. Absent: `run` is called. */
  to?: string
  run?: () => unknown
}

interface Situation {
  t: TFunction
  i18n: i18n
  user: SessionUser | undefined
  screens: readonly Screen[]
  /** The current input. */
  text: string
  dark: boolean
  /** The gateway's search results for the input. */
  results: SearchResults
  /** Options that the user may edit. */
  options: readonly OptionPlace[]
  actions: { toggleTheme: () => void; toggleLanguage: () => void; logout: () => void }
}

/** Returns the entries for the input: matching screens and actions, a request id, options, records, list searches. */
export function commandsFor(situation: Situation): PaletteCommand[] {
  const { t, user, screens, text, dark, actions } = situation
  const places = screens.map(({ name, icon, paths: [to] }) => ({ key: to, title: t(`screen.${name}`), icon, to }))
  return [...places, ...settingTabs(t, user), ...creations(t, user), ...switches(t, dark, user, actions)]
    .filter(({ title, key }) => matchesWords(`${title} ${key}`, text))
    .concat(requests(t, text), matchingOptions(situation), records(situation), searches(t, user, text))
}

function matchesWords(text: string, query: string): boolean {
  const lowerText = text.toLowerCase()
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lowerText.includes(word))
}

function settingTabs(t: TFunction, user: SessionUser | undefined): PaletteCommand[] {
  if (!isRoot(user)) return []
  const tabs = ['operation', 'system', 'other'] as const
  return tabs.map((tab) => ({
    key: `setting ${tab}`,
    title: `${t('screen.setting')}: ${t(`palette.tab.${tab}`)}`,
    icon: <IconSettings />,
    to: `/setting?tab=${tab}`,
  }))
}

function creations(t: TFunction, user: SessionUser | undefined): PaletteCommand[] {
  if (!user) return []
  const token = { key: 'add token', title: t('palette.addToken'), icon: <IconPlus />, to: '/token?open=new' }
  if (!isAdmin(user)) return [token]
  return [
    token,
    { key: 'add channel', title: t('palette.addChannel'), icon: <IconPlus />, to: '/channel/add' },
    { key: 'add user', title: t('palette.addUser'), icon: <IconPlus />, to: '/user/edit' },
    { key: 'add code redemption', title: t('palette.addCode'), icon: <IconPlus />, to: '/redemption?open=new' },
  ]
}

function switches(
  t: TFunction,
  dark: boolean,
  user: SessionUser | undefined,
  { toggleTheme, toggleLanguage, logout }: Situation['actions'],
): PaletteCommand[] {
  const logoutCommand = { key: 'logout', title: t('layout.logout'), icon: <IconPoweroff />, run: logout }
  return [
    {
      key: 'theme',
      title: t(dark ? 'layout.light' : 'layout.dark'),
      icon: dark ? <IconSun /> : <IconMoon />,
      run: toggleTheme,
    },
    { key: 'language', title: t('palette.language'), icon: <IconLanguage />, run: toggleLanguage },
    ...(user ? [logoutCommand] : []),
  ]
}

/** Matches a complete request id, because the gateway cannot search for a part of an id. */
const REQUEST_ID = /^[0-9a-z][0-9a-z-]{15,63}$/i

function requests(t: TFunction, text: string): PaletteCommand[] {
  const id = text.trim()
  // Every request id contains digits, so a word without digits is no request id.
  if (!REQUEST_ID.test(id) || !/\d/.test(id)) return []
  return [{ key: 'request', title: t('palette.request', { id }), icon: <IconFile />, to: `/request/${id}` }]
}

const OPTIONS_MAX = 6

function matchingOptions({ t, i18n, text, options }: Situation): PaletteCommand[] {
  if (text.trim() === '') return []
  return options
    .filter(({ field }) => matchesSearch(t, i18n, field, text))
    .slice(0, OPTIONS_MAX)
    .map(({ field, tab, area }) => ({
      key: `option ${field.key}`,
      title: t('palette.option', { area: t(`option.area.${area}`), option: optionLabelOf(t, i18n, field.key) }),
      icon: <IconSettings />,
      to: `/setting?tab=${tab}&option=${field.key}`,
    }))
}

/** Returns entries for the channels, users, keys and models that match the input. */
function records({ t, results: { channels, users, tokens, models } }: Situation): PaletteCommand[] {
  return [
    ...channels.map(({ id, name }) => ({
      key: `channel ${id}`,
      title: t('palette.channel', { name }),
      icon: <IconTags />,
      to: `/channel/edit/${id}`,
    })),
    ...users.map(({ id, username }) => ({
      key: `user ${id}`,
      title: t('palette.user', { name: username }),
      icon: <IconUser />,
      to: `/user/edit/${id}`,
    })),
    ...tokens.map(({ id, name }) => ({
      key: `token ${id}`,
      title: t('palette.token', { name }),
      icon: <IconLock />,
      to: `/token?open=${id}`,
    })),
    ...models.map((name) => ({
      key: `model ${name}`,
      title: t('palette.model', { name }),
      icon: <IconBook />,
      to: `/pricing?model=${encodeURIComponent(name)}`,
    })),
  ]
}

/** Returns entries that open a list and search it for the input. */
function searches(t: TFunction, user: SessionUser | undefined, input: string): PaletteCommand[] {
  const text = input.trim()
  if (text === '' || !user) return []
  const searchCommand = (key: string, title: string, to: string): PaletteCommand => ({
    key,
    title,
    icon: <IconSearch />,
    to,
  })
  const encodedText = encodeURIComponent(text)
  const personal = [
    searchCommand('find token', t('palette.findToken', { text }), `/token?keyword=${encodedText}`),
    searchCommand('find model', t('palette.findModel', { text }), `/pricing?keyword=${encodedText}`),
  ]
  if (!isAdmin(user)) return personal
  return [
    searchCommand('find channel', t('palette.findChannel', { text }), `/channel?keyword=${encodedText}`),
    searchCommand('find user', t('palette.findUser', { text }), `/user?keyword=${encodedText}`),
    ...personal,
  ]
}
