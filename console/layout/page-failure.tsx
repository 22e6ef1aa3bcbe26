import Button from '@arco-design/web-react/es/Button'
import { useTranslation } from 'react-i18next'
import { useRouteError } from 'react-router-dom'
import { useTitle } from '../components/title.ts'

/** Takes the place of a page that broke, or whose files could not be loaded: without a network, or after an update. */
export function PageFailure() {
  const { t } = useTranslation()
  const unloaded = isUnloaded(useRouteError())
  const title = t(unloaded ? 'page.unloaded' : 'page.failed')
  useTitle(title)
  return (
    <div className="page-centre" role="alert">
      <h1>{title}</h1>
      <p>{t(unloaded ? 'page.unloadedHint' : 'page.failedHint')}</p>
      <Button type="primary" onClick={() => window.location.reload()}>
        {t('page.reload')}
      </Button>
    </div>
  )
}

/** Each browser has its own words for a script that could not be loaded; Vite has one for a style sheet. */
const UNLOADED = /dynamically imported module|Importing a module script failed|Unable to preload CSS/

const isUnloaded = (error: unknown): boolean => error instanceof Error && UNLOADED.test(error.message)
