import type { ComponentType, LazyExoticComponent } from 'react'
import { mayOpen, type ScreenAccess } from '../../access.ts'
import { inPlace } from '../../components/on-demand.tsx'
import { loadSettingsTexts } from '../../language.ts'
import type { SessionUser } from '../../session.ts'

type TabName = 'personal' | 'operation' | 'system' | 'other'

interface Tab {
  name: TabName
  access: ScreenAccess
  page: LazyExoticComponent<ComponentType>
}

const PERSONAL: Tab = {
  name: 'personal',
  access: 'user',
  page: inPlace(async () => (await import('./personal/index.tsx')).default),
}

/** All tabs, in the order of the page. */
const TABS: readonly Tab[] = [
  PERSONAL,
  { name: 'operation', access: 'root', page: ofOptions(() => import('./operation/index.tsx')) },
  { name: 'system', access: 'root', page: ofOptions(() => import('./system/index.tsx')) },
  { name: 'other', access: 'root', page: ofOptions(() => import('./other/index.tsx')) },
]

/** Returns the page of a tab. Its code loads together with the texts of the options. */
function ofOptions(load: () => Promise<{ default: ComponentType }>): Tab['page'] {
  return inPlace(async () => {
    const [page] = await Promise.all([load(), loadSettingsTexts()])
    return page.default
  })
}

export const tabsFor = (user: SessionUser | undefined): Tab[] => TABS.filter(({ access }) => mayOpen(user, access))

/** Returns the tab with this name; the personal tab if the name is not among `tabs`. */
export const tabNamed = (name: string | null, tabs: readonly Tab[]): Tab =>
  tabs.find((tab) => tab.name === name) ?? PERSONAL
