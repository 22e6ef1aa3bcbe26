import Descriptions from '@arco-design/web-react/es/Descriptions'
import Skeleton from '@arco-design/web-react/es/Skeleton'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { isRoot } from '../access.ts'
import { getAbout } from '../api/content.ts'
import { useStatus } from '../api/status.ts'
import { useBaseAddress } from '../components/base-address.ts'
import { CustomContent } from '../components/custom-content.tsx'
import { LoadFailure } from '../components/load-failure.tsx'
import { PageFrame } from '../components/page.tsx'
import { useNarrow } from '../layout/narrow.ts'
import { Link } from '../router/link.tsx'
import { session } from '../session.ts'
import { useStore } from '../store.ts'

/** Shows the operator's text about the platform; if there is none, the built-in text. */
export default function AboutPage() {
  const { t } = useTranslation()
  const about = useQuery({ queryKey: ['content', 'about'], queryFn: ({ signal }) => getAbout(signal) })
  return (
    <PageFrame title={t('screen.about')}>
      {about.isPending && <Skeleton animation text={{ rows: 8, width: '100%' }} />}
      {about.isError && (
        <LoadFailure title={t('content.aboutFailed')} error={about.error} onRetry={() => void about.refetch()} />
      )}
      {about.data && <CustomContent content={about.data} title={t('screen.about')} />}
      {about.data === '' && <BuiltInAbout />}
    </PageFrame>
  )
}

/** The platform's name, start time and links to documentation. */
function BuiltInAbout() {
  const { t, i18n } = useTranslation()
  const { data: status } = useStatus()
  const address = useBaseAddress()
  const { user } = useStore(session)
  const narrow = useNarrow()
  return (
    <>
      <section className="panel">
        <h2>{status?.system_name || 'Tollgate'}</h2>
        <p className="panel-note">{t('content.what')}</p>
        <Descriptions
          column={1}
          layout={narrow ? 'vertical' : 'horizontal'}
          style={{ marginTop: 16 }}
          labelStyle={{ paddingRight: 24 }}
          data={[
            { label: t('content.product'), value: status ? `Tollgate ${status.version}` : 'Tollgate' },
            {
              label: t('content.since'),
              value: status ? new Date(status.start_time * 1000).toLocaleString(i18n.language) : '–',
            },
            { label: t('content.address'), value: <code>{address}</code> },
            {
              label: t('content.documentation'),
              value: (
                <a href="/docs/api" target="_blank" rel="noreferrer">
                  {t('content.apiReference')}
                </a>
              ),
            },
            { label: t('content.licence'), value: t('content.licenceText') },
          ]}
        />
      </section>
      {isRoot(user) && <Link to="/setting?tab=other">{t('content.aboutHint')}</Link>}
    </>
  )
}
