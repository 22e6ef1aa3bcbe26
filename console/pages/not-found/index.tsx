import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { useTitle } from '../../components/title.ts'

export default function NotFoundPage() {
  const { t } = useTranslation()
  useTitle(t('notFound.title'))
  return (
    <div className="page-centre">
      <span className="page-code" aria-hidden="true">
        404
      </span>
      <h1>{t('notFound.title')}</h1>
      <p>{t('notFound.hint')}</p>
      <Link to="/">{t('notFound.home')}</Link>
    </div>
  )
}
