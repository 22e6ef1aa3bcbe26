import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { FIRST_SCREEN } from '../first-screen.ts'
import { DeadEnd } from './dead-end.tsx'

/** Replaces a screen for administrators. */
export function Forbidden() {
  const { t } = useTranslation()
  return (
    <DeadEnd code={403} title={t('page.forbidden')} hint={t('page.forbiddenHint')}>
      <Link to={FIRST_SCREEN}>{t('screen.token')}</Link>
    </DeadEnd>
  )
}
