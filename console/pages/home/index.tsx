import Alert from '@arco-design/web-react/es/Alert'
import Button from '@arco-design/web-react/es/Button'
import Skeleton from '@arco-design/web-react/es/Skeleton'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { getHomePage } from '../../api/content.ts'
import { failureText } from '../../api/failure.ts'
import { CustomContent } from '../../components/custom-content.tsx'
import { useTitle } from '../../components/title.ts'
import './home.css'
import { Landing } from './landing.tsx'
import { Notice } from './notice.tsx'

/** Shows the operator's home page, or the built-in home page if the operator's page is empty or fails to load. */
export default function HomePage() {
  const { t } = useTranslation()
  const content = useQuery({ queryKey: ['content', 'home'], queryFn: ({ signal }) => getHomePage(signal) })
  useTitle(t('screen.home'))
  return (
    <div className="home">
      <Notice />
      {content.isPending && (
        <div className="home-text">
          <Skeleton animation text={{ rows: 8, width: '100%' }} />
        </div>
      )}
      {content.isError && (
        <Alert
          type="error"
          title={t('content.homeFailed')}
          content={failureText(t, content.error)}
          action={
            <Button size="small" onClick={() => void content.refetch()}>
              {t('page.retry')}
            </Button>
          }
        />
      )}
      {content.data ? (
        <div className="home-text">
          <CustomContent content={content.data} title={t('screen.home')} />
        </div>
      ) : (
        !content.isPending && <Landing />
      )}
    </div>
  )
}
