import type { ComponentType, LazyExoticComponent } from 'react'
import { type Access, mayOpen } from '../../access.ts'
import { inPlace } from '../../components/on-demand.tsx'
import type { SessionUser } from '../../session.ts'

type TabName = 'personal' | 'operation' | 'system' | 'other'

export interface Tab {
  name: TabName
  access: Access
  page: LazyExoticComponent<ComponentType>
}

const PERSONAL: Tab = {
  name: 'personal',
  access: 'user',
  page: inPlace(async () => (await import('./personal/index.tsx')).default),
}

/** In the order in which they stand on the page. */
const TABS: readonly Tab[] = [
  PERSONAL,
  { name: 'operation', access: 'root', page: inPlace(async () => (await import('./operation/index.tsx')).default) },
  { name: 'system', access: 'root', page: inPlace(async () => (await import('./system/index.tsx')).default) },
  { name: 'other', access: 'root', page: inPlace(async () => (await import('./other/index.tsx')).default) },
]

export const tabsFor = (user: SessionUser | undefined): Tab[] => TABS.filter(({ access }) => mayOpen(user, access))

/** The tab that the address names. What it does not name, or not for this person, is the personal one. */
export const tabNamed = (name: string | null, tabs: readonly Tab[]): Tab =>
  tabs.find((tab) => tab.name === name) ?? PERSONAL
