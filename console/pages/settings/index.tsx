import Tabs from '@arco-design/web-react/es/Tabs'
import { type ComponentType, type LazyExoticComponent, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { mayOpen, type ScreenAccess } from '../../access.ts'
import { inPlace } from '../../components/on-demand.tsx'
import { PageFrame } from '../../components/page.tsx'
import { loadSettingsTexts } from '../../language.ts'
import { PageLoading } from '../../layout/page-loading.tsx'
import { useSearchParams } from '../../router/hooks.ts'
import { type SessionUser, session } from '../../session.ts'
import { useStore } from '../../store.ts'

export default function SettingsPage() {
  const { t } = useTranslation()
  const { user } = useStore(session)
  const [query, setQuery] = useSearchParams()
  const tabs = tabsFor(user)
  const openTab = tabNamed(query.get('tab'), tabs)
  return (
    <PageFrame title={t('screen.setting')}>
      <Tabs activeTab={openTab.name} onChange={(name) => setQuery({ tab: name })} lazyload destroyOnHide>
        {tabs.map(({ name, page: Tab }) => (
          <Tabs.TabPane key={name} title={t(`palette.tab.${name}`)}>
            <Suspense
              fallback={
                <div className="page-long">
                  <PageLoading />
                </div>
              }
            >
              <Tab />
            </Suspense>
          </Tabs.TabPane>
        ))}
      </Tabs>
    </PageFrame>
  )
}

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

/** Returns the page of a tab. The page's code loads together with the texts of the options. */
function ofOptions(load: () => Promise<{ default: ComponentType }>): Tab['page'] {
  return inPlace(async () => {
    const [page] = await Promise.all([load(), loadSettingsTexts()])
    return page.default
  })
}

const tabsFor = (user: SessionUser | undefined): Tab[] => TABS.filter(({ access }) => mayOpen(user, access))

/** Returns the tab with this name; the personal tab if the name is not among `tabs`. */
const tabNamed = (name: string | null, tabs: readonly Tab[]): Tab => tabs.find((tab) => tab.name === name) ?? PERSONAL
