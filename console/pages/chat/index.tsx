import Button from '@arco-design/web-react/es/Button'
import { IconLaunch } from '@arco-design/web-react/icon'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStatus } from '../../api/status.ts'
import { allChatLinks, chatAddress } from '../../chat-links.ts'
import { useBaseAddress } from '../../components/base-address.ts'
import { frameSandbox } from '../../components/custom-content-kind.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { PageFrame } from '../../components/page.tsx'
import { PageLoading } from '../../layout/page-loading.tsx'
import { useParams } from '../../router/hooks.ts'
import { session } from '../../session.ts'
import { useStore } from '../../store.ts'
import NotFoundPage from '../not-found.tsx'
import './chat.css'
import { KeyConfirmation } from './key-question.tsx'
import { type ChatProblem, Problem } from './problem.tsx'
import { useChatKey } from './use-chat-key.ts'

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
  const { user } = useStore(session)
  const { data: status, error, refetch } = useStatus()
  const links = status && allChatLinks(status, t)
  const link = links?.[place]
  const { key, error: keyError, retry } = useChatKey(user !== undefined && link !== undefined)
  const address = useBaseAddress()
  const applicationUrl = link && typeof key === 'string' ? chatAddress(link.template, { address, key }) : undefined
  const name = link?.name ?? t('screen.chat')
  const [confirmedUrl, setConfirmedUrl] = useState<string>()

  if (user && links && links.length > 0 && !link) return <NotFoundPage />
  const problem = findProblem()
  if (problem) {
    return (
      <PageFrame title={name}>
        <Problem
          problem={problem}
          onRetry={() => {
            void refetch()
            retry()
          }}
        />
      </PageFrame>
    )
  }
  if (!applicationUrl) return <PageLoading />
  if (!/^https?:/.test(applicationUrl)) return <Application name={name} address={applicationUrl} />
  // Another key or another application needs a new confirmation.
  if (applicationUrl !== confirmedUrl) {
    return (
      <PageFrame title={name}>
        <KeyConfirmation name={name} address={applicationUrl} onOpen={() => setConfirmedUrl(applicationUrl)} />
      </PageFrame>
    )
  }
  return (
    <div className="chat">
      <PageFrame title={name} extra={<NewTab address={applicationUrl} text={t('chat.newTab')} />}>
        <iframe
          // Another application gets a new frame. Otherwise, the old frame would navigate to the other application.
          key={applicationUrl}
          className="chat-frame"
          title={name}
          src={applicationUrl}
          sandbox={frameSandbox(applicationUrl, window.location.origin)}
          allow="clipboard-write"
          referrerPolicy="no-referrer"
        />
      </PageFrame>
    </div>
  )

  function findProblem(): ChatProblem | undefined {
    if (!user) return 'signedOut'
    if (!status) return error ? { error } : undefined
    if (!links) return 'unreadable'
    if (links.length === 0) return 'none'
    if (keyError) return { error: keyError }
    if (key === null) return 'noToken'
    return key !== undefined && applicationUrl === undefined ? 'broken' : undefined
  }
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

function NewTab({ address, text }: { address: string; text: string }) {
  return (
    <a href={address} target="_blank" rel="noopener noreferrer">
      {text}
    </a>
  )
}
