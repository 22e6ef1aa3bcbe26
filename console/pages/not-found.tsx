import { useTranslation } from 'react-i18next'
import { DeadEnd } from '../layout/dead-end.tsx'
import { Link } from '../router/link.tsx'

export default function NotFoundPage() {
  const { t } = useTranslation()
  return (
    <DeadEnd code={404} title={t('page.notFound')} hint={t('page.notFoundHint')}>
      <Link to="/">{t('page.home')}</Link>
    </DeadEnd>
  )
}
