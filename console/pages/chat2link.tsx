import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { type Status, useStatus } from '../api/status.ts'
import { allChatLinks, type ChatLink, chatAddress } from '../chat-links.ts'
import { useBaseAddress } from '../components/base-address.ts'
import { Page } from '../components/page.tsx'
import { PageLoading } from '../layout/page-loading.tsx'
import { KeyQuestion } from './chat/key-question.tsx'
import { type ChatProblem, Problem } from './chat/problem.tsx'
import { useChatKey } from './chat/use-chat-key.ts'

/** Opens the chat application itself, with one of the user's keys, after a click that confirms its site. */
export default function Chat2LinkPage() {
  const { t } = useTranslation()
  const { data: status, error, refetch } = useStatus()
  const links = status && applications(status, t)
  const link = links?.[0]
  const { key, error: keyError, retry } = useChatKey(link !== undefined)
  const server = useBaseAddress()
  const address = link && typeof key === 'string' ? chatAddress(link.template, { address: server, key }) : undefined

  const problem = findProblem()
  if (!problem && !address) return <PageLoading />
  return (
    <Page title={t('screen.chat2link')}>
      {problem ? (
        <Problem
          problem={problem}
          onRetry={() => {
            void refetch()
            retry()
          }}
        />
      ) : (
        // Replaces this page in the history, so that back skips it.
        address && (
          <KeyQuestion name={link?.name ?? ''} address={address} onOpen={() => window.location.replace(address)} />
        )
      )}
    </Page>
  )

  function findProblem(): ChatProblem | undefined {
    if (!status) return error ? { error } : undefined
    if (!links) return 'unreadable'
    if (!link) return 'none'
    if (keyError) return { error: keyError }
    if (key === null) return 'noToken'
    return key !== undefined && address === undefined ? 'broken' : undefined
  }
}

/** The application of the older setting comes first, for compatibility: this page has always opened it. */
function applications(status: Status, t: TFunction): ChatLink[] | undefined {
  const older = allChatLinks({ ...status, chats: [], chat_link2: '' })
  const all = allChatLinks(status, t)
  return all && [...(older ?? []), ...all]
}
