import Button from '@arco-design/web-react/es/Button'
import { IconLaunch } from '@arco-design/web-react/icon'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { allChatLinks } from '../../chat-links.ts'
import { frameSandbox } from '../../components/custom-content-kind.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { PageFrame } from '../../components/page.tsx'
import { PageLoading } from '../../layout/page-loading.tsx'
import { useParams } from '../../router/hooks.ts'
import NotFoundPage from '../not-found.tsx'
import './chat.css'
import { KeyConfirmation } from './key-question.tsx'
import { Problem } from './problem.tsx'
import { useChatApplication } from './use-chat-application.ts'

/** The chat application of the URL: `/chat/1` is the second configured application, and `/chat` the first. */
export default function ChatPage() {
  const { id = '0' } = useParams()
  return /^\d{1,9}$/.test(id) ? <Chat place={Number(id)} /> : <NotFoundPage />
}

/**
 * Shows a chat application in a frame and gives the application one of the user's keys. Before, the user must confirm
 * the application's site with a click.
 */
function Chat({ place }: { place: number }) {
  const { t } = useTranslation()
  const { links, link, url, problem, retry } = useChatApplication((status) => allChatLinks(status, t), place)
  const name = link?.name ?? t('screen.chat')
  const [confirmedUrl, setConfirmedUrl] = useState<string>()

  if (links?.length && problem === 'none') return <NotFoundPage />
  if (problem) {
    return (
      <PageFrame title={name}>
        <Problem problem={problem} onRetry={retry} />
      </PageFrame>
    )
  }
  if (!url) return <PageLoading />
  if (!/^https?:/.test(url)) return <Application name={name} address={url} />
  // Another key or another application needs a new confirmation.
  if (url !== confirmedUrl) {
    return (
      <PageFrame title={name}>
        <KeyConfirmation name={name} address={url} onOpen={() => setConfirmedUrl(url)} />
      </PageFrame>
    )
  }
  const newTabLink = (
    <a href={url} target="_blank" rel="noopener noreferrer">
      {t('chat.newTab')}
    </a>
  )
  return (
    <div className="chat">
      <PageFrame title={name} extra={newTabLink}>
        <iframe
          // Another application gets a new frame. Otherwise, the old frame would navigate to the other application.
          key={url}
          className="chat-frame"
          title={name}
          src={url}
          sandbox={frameSandbox(url, window.location.origin)}
          allow="clipboard-write"
          referrerPolicy="no-referrer"
        />
      </PageFrame>
    </div>
  )
}

/** Links to an application on the device, with a URL such as `opencat://`. A frame cannot open such a URL. */
function Application({ name, address }: { name: string; address: string }) {
  const { t } = useTranslation()
  return (
    <PageFrame title={name}>
      <div className="panel">
        <EmptyState
          title={t('chat.app', { name })}
          hint={t('chat.appHint')}
          action={
            <Button type="primary" icon={<IconLaunch />} href={address}>
              {t('chat.openApp', { name })}
            </Button>
          }
        />
      </div>
    </PageFrame>
  )
}
