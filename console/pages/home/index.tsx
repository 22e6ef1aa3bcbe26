import Badge from '@arco-design/web-react/es/Badge'
import Button from '@arco-design/web-react/es/Button'
import Modal from '@arco-design/web-react/es/Modal'
import Skeleton from '@arco-design/web-react/es/Skeleton'
import { IconNotification } from '@arco-design/web-react/icon'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getHomePage, getNotice } from '../../api/content.ts'
import { CustomContent } from '../../components/custom-content.tsx'
import { LoadFailure } from '../../components/load-failure.tsx'
import { inPlace } from '../../components/on-demand.tsx'
import { useTitle } from '../../components/title.ts'
import { readStoredText, writeStored } from '../../storage.ts'
import './home.css'
import { Landing } from './landing.tsx'

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
        <LoadFailure title={t('content.homeFailed')} error={content.error} onRetry={() => void content.refetch()} />
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

const Markdown = inPlace(async () => (await import('../../components/markdown.tsx')).default)

/** The operator's announcement. A new text opens by itself until the user closes it. The bell opens it again. */
function Notice() {
  const { t } = useTranslation()
  const { data: text } = useQuery({ queryKey: ['content', 'notice'], queryFn: ({ signal }) => getNotice(signal) })
  const [closedText, setClosedText] = useState(() => readStoredText('notice'))
  const [isOpened, setOpened] = useState(false)
  if (!text) return null
  const isUnread = text !== closedText

  function close() {
    writeStored('notice', text)
    setClosedText(text)
    setOpened(false)
  }

  return (
    <>
      <div className="home-bell">
        <Badge dot={isUnread}>
          <Button
            shape="circle"
            icon={<IconNotification />}
            aria-label={t('content.notice')}
            title={t('content.notice')}
            onClick={() => setOpened(true)}
          />
        </Badge>
      </div>
      <Modal
        title={t('content.notice')}
        visible={isUnread || isOpened}
        onCancel={close}
        footer={
          <Button type="primary" onClick={close}>
            {t('content.noticeRead')}
          </Button>
        }
        className="notice"
        unmountOnExit
      >
        <Suspense fallback={<Skeleton animation text={{ rows: 4, width: '100%' }} />}>
          <Markdown text={text} />
        </Suspense>
      </Modal>
    </>
  )
}
