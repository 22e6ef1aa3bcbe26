import Alert from '@arco-design/web-react/es/Alert'
import Button from '@arco-design/web-react/es/Button'
import { useTranslation } from 'react-i18next'
import { failureText } from '../api/failure.ts'

interface Props {
  error: unknown
  onRetry: () => void
  title?: string
  className?: string
}

/** Reports that page data failed to load, with a retry button. */
export function LoadFailure({ error, onRetry, title, className = '' }: Props) {
  const { t } = useTranslation()
  return (
    <Alert
      className={className}
      type="error"
      title={title ?? t('table.failed')}
      content={failureText(t, error)}
      action={
        <Button size="small" onClick={onRetry}>
          {t('table.retry')}
        </Button>
      }
    />
  )
}
