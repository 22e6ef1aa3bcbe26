import Badge from '@arco-design/web-react/es/Badge'
import Button from '@arco-design/web-react/es/Button'
import Modal from '@arco-design/web-react/es/Modal'
import Skeleton from '@arco-design/web-react/es/Skeleton'
import { IconNotification } from '@arco-design/web-react/icon'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getNotice } from '../../api/content.ts'
import { inPlace } from '../../components/on-demand.tsx'
import { readStored, writeStored } from '../../storage.ts'

const Markdown = inPlace(async () => (await import('../../components/markdown.tsx')).default)

/** The operator's announcement. A new text opens by itself until the user closes it. The bell opens the announcement again. */
export function Notice() {
  const { t } = useTranslation()
  const { data: text } = useQuery({ queryKey: ['content', 'notice'], queryFn: ({ signal }) => getNotice(signal) })
  const [closedText, setClosedText] = useState(() => readStored('notice', isText))
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

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
