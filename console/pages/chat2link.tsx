import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { type Status, useStatus } from '../api/status.ts'
import { allChatLinks, type ChatLink, chatAddress } from '../chat-links.ts'
import { useBaseAddress } from '../components/base-address.ts'
import { PageFrame } from '../components/page.tsx'
import { PageLoading } from '../layout/page-loading.tsx'
import { KeyConfirmation } from './chat/key-question.tsx'
import { type ChatProblem, Problem } from './chat/problem.tsx'
import { useChatKey } from './chat/use-chat-key.ts'

/** Opens a chat application in this tab. The user must first confirm the site, because it gets a key. */
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
    <PageFrame title={t('screen.chat2link')}>
      {problem ? (
        <Problem
          problem={problem}
          onRetry={() => {
            void refetch()
            retry()
          }}
        />
      ) : (
        // The application replaces this page in the history, so that back skips this page.
        address && (
          <KeyConfirmation name={link?.name ?? ''} address={address} onOpen={() => window.location.replace(address)} />
        )
      )}
    </PageFrame>
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

/** Returns all chat applications, first that of the older setting `chat_link`, which this page has always opened. */
function applications(status: Status, t: TFunction): ChatLink[] | undefined {
  const olderLinks = allChatLinks({ ...status, chats: [], chat_link2: '' })
  const allLinks = allChatLinks(status, t)
  return allLinks && [...(olderLinks ?? []), ...allLinks]
}
