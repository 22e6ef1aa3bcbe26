import Tabs from '@arco-design/web-react/es/Tabs'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { PageFrame } from '../../components/page.tsx'
import { PageLoading } from '../../layout/page-loading.tsx'
import { useSearchParams } from '../../router/hooks.ts'
import { session } from '../../session.ts'
import { useStore } from '../../store.ts'
import { tabNamed, tabsFor } from './tabs.ts'

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
          <Tabs.TabPane key={name} title={t(`personal.tab.${name}`)}>
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
