import Result from '@arco-design/web-react/es/Result'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { useTitle } from '../../components/title.ts'

export default function NotFoundPage() {
  const { t } = useTranslation()
  useTitle(t('notFound.title'))
  return (
    <div className="page-centre">
      <Result
        status="404"
        title={<h1 className="result-title">{t('notFound.title')}</h1>}
        subTitle={t('notFound.hint')}
        extra={<Link to="/">{t('notFound.home')}</Link>}
      />
    </div>
  )
}
