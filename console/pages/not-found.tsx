import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { DeadEnd } from '../layout/dead-end.tsx'

export default function NotFoundPage() {
  const { t } = useTranslation()
  return (
    <DeadEnd code={404} title={t('page.notFound')} hint={t('page.notFoundHint')}>
      <Link to="/">{t('page.home')}</Link>
    </DeadEnd>
  )
}
