import Button from '@arco-design/web-react/es/Button'
import Result from '@arco-design/web-react/es/Result'
import { useTranslation } from 'react-i18next'

/** Takes the place of a page that broke, or whose files could not be loaded (after an update, for example). */
export function PageFailure() {
  const { t } = useTranslation()
  return (
    <div className="page-centre" role="alert">
      <Result
        status="error"
        title={t('page.failed')}
        subTitle={t('page.failedHint')}
        extra={
          <Button type="primary" onClick={() => window.location.reload()}>
            {t('page.reload')}
          </Button>
        }
      />
    </div>
  )
}
