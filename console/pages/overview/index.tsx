import Alert from '@arco-design/web-react/es/Alert'
import Button from '@arco-design/web-react/es/Button'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../api/failure.ts'
import { useTitle } from '../../components/title.ts'
import { Figures } from './figures.tsx'
import { FirstSteps } from './first-steps.tsx'
import { NewestLogs } from './newest-logs.tsx'
import './overview.css'
import { Panel } from './panel.tsx'
import { UsageBars } from './usage-bars.tsx'
import { USAGE_DAYS, useOverview } from './use-overview.ts'

export default function OverviewPage() {
  const { t } = useTranslation()
  const { status, self, today, usage, logs, error, retry } = useOverview()
  useTitle(t('overview.title'))
  const unused = self.data?.request_count === 0 && logs.data?.total === 0
  return (
    <div className="page overview">
      <h1>{t('overview.title')}</h1>
      {error && (
        <Alert
          type="error"
          title={t('overview.failed')}
          content={failureText(t, error)}
          action={
            <Button size="small" onClick={() => void retry()}>
              {t('overview.retry')}
            </Button>
          }
        />
      )}
      <Figures self={self.data} today={today.data} loading={self.isPending || today.isPending} />
      {unused ? (
        <FirstSteps />
      ) : (
        <>
          {status.data?.enable_data_export !== false && (
            <Panel title={t('overview.usage', { count: USAGE_DAYS })} query={usage}>
              {(rows) => <UsageBars rows={rows} />}
            </Panel>
          )}
          <Panel title={t('overview.logs')} query={logs}>
            {(page) => <NewestLogs rows={page.items} />}
          </Panel>
        </>
      )}
    </div>
  )
}
