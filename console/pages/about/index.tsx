import Alert from '@arco-design/web-react/es/Alert'
import Button from '@arco-design/web-react/es/Button'
import Skeleton from '@arco-design/web-react/es/Skeleton'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { getAbout } from '../../api/content.ts'
import { failureText } from '../../api/failure.ts'
import { CustomContent } from '../../components/custom-content.tsx'
import { PageFrame } from '../../components/page.tsx'
import { BuiltInAbout } from './built-in.tsx'

/** Shows the operator's text about the platform; if there is none, the built-in text. */
export default function AboutPage() {
  const { t } = useTranslation()
  const about = useQuery({ queryKey: ['content', 'about'], queryFn: ({ signal }) => getAbout(signal) })
  return (
    <PageFrame title={t('screen.about')}>
      {about.isPending && <Skeleton animation text={{ rows: 8, width: '100%' }} />}
      {about.isError && (
        <Alert
          type="error"
          title={t('content.aboutFailed')}
          content={failureText(t, about.error)}
          action={
            <Button size="small" onClick={() => void about.refetch()}>
              {t('page.retry')}
            </Button>
          }
        />
      )}
      {about.data && <CustomContent content={about.data} title={t('screen.about')} />}
      {about.data === '' && <BuiltInAbout />}
    </PageFrame>
  )
}
