import Spin from '@arco-design/web-react/es/Spin'
import { useTranslation } from 'react-i18next'

export function PageLoading() {
  const { t } = useTranslation()
  return (
    <div className="page-centre" role="status" aria-label={t('page.loading')}>
      <Spin delay={200} />
    </div>
  )
}
