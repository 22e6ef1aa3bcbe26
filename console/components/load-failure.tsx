import Alert from '@arco-design/web-react/es/Alert'
import Button from '@arco-design/web-react/es/Button'
import { useTranslation } from 'react-i18next'
import { failureText } from '../api/failure.ts'

/** Reports that page data failed to load, with a retry button. */
export function LoadFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation()
  return (
    <Alert
      type="error"
      title={t('table.failed')}
      content={failureText(t, error)}
      action={
        <Button size="small" onClick={onRetry}>
          {t('table.retry')}
        </Button>
      }
    />
  )
}
