import Button from '@arco-design/web-react/es/Button'
import { useTranslation } from 'react-i18next'

/** Takes the place of a page that broke, or whose files could not be loaded (after an update, for example). */
export function PageFailure() {
  const { t } = useTranslation()
  return (
    <div className="page-centre" role="alert">
      <h1>{t('page.failed')}</h1>
      <p>{t('page.failedHint')}</p>
      <Button type="primary" onClick={() => window.location.reload()}>
        {t('page.reload')}
      </Button>
    </div>
  )
}
