import Button from '@arco-design/web-react/es/Button'
import { useTranslation } from 'react-i18next'
import { useTitle } from '../components/title.ts'

/** Replaces a page that threw while it rendered, or whose files failed to load, for example after a gateway update. */
export function PageFailure({ error }: { error: unknown }) {
  const { t } = useTranslation()
  const unloaded = isUnloaded(error)
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

/** Matches the browsers' messages for a script that failed to load, and Vite's message for a style sheet. */
const UNLOADED = /dynamically imported module|Importing a module script failed|Unable to preload CSS/

const isUnloaded = (error: unknown): boolean => error instanceof Error && UNLOADED.test(error.message)
