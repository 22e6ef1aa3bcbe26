import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { Status } from '../api/status.ts'
import { allChatLinks, type ChatLink } from '../chat-links.ts'
import { PageFrame } from '../components/page.tsx'
import { PageLoading } from '../layout/page-loading.tsx'
import { KeyConfirmation } from './chat/key-question.tsx'
import { Problem } from './chat/problem.tsx'
import { useChatApplication } from './chat/use-chat-application.ts'

/** Opens a chat application in this tab. The user must first confirm the site, because it gets a key. */
export default function Chat2LinkPage() {
  const { t } = useTranslation()
  const { link, url, problem, retry } = useChatApplication((status) => applications(status, t))
  if (!problem && !url) return <PageLoading />
  return (
    <PageFrame title={t('screen.chat2link')}>
      {problem ? (
        <Problem problem={problem} onRetry={retry} />
      ) : (
        // The application replaces this page in the history, so that back skips this page.
        url && <KeyConfirmation name={link?.name ?? ''} address={url} onOpen={() => window.location.replace(url)} />
      )}
    </PageFrame>
  )
}

/** Returns all chat applications, first that of the older setting `chat_link`, which this page has always opened. */
function applications(status: Status, t: TFunction): ChatLink[] | undefined {
  const olderLinks = allChatLinks({ ...status, chats: [], chat_link2: '' })
  const allLinks = allChatLinks(status, t)
  return allLinks && [...(olderLinks ?? []), ...allLinks]
}
