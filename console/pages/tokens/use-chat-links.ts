import Message from '@arco-design/web-react/es/Message'
import { useTranslation } from 'react-i18next'
import { useStatus } from '../../api/status.ts'
import { fullKeyOf, type Token } from '../../api/tokens.ts'
import { allChatLinks, type ChatLink, chatAddress, siteOf } from '../../chat-links.ts'
import { useBaseAddress } from '../../components/base-address.ts'

interface Chat {
  label: string
  start: () => void
}

/**
 * Returns a menu entry for each chat application of the platform. The entry opens the application with this token in a new tab.
 * If there are no applications, returns one entry that reports this.
 */
export function useChatLinks(token: Token): Chat[] {
  const { t } = useTranslation()
  const { data: status } = useStatus()
  const base = useBaseAddress()
  const links = status ? allChatLinks(status, t) : []
  const addressOf = ({ template }: ChatLink) => chatAddress(template, { address: base, key: fullKeyOf(token) })

  /** Returns the application's name, followed by its site, because the site receives the key. */
  function labelOf(link: ChatLink): string {
    const address = addressOf(link)
    const site = address && siteOf(address)
    return site && site !== link.name ? `${link.name} (${site})` : link.name
  }

  function start(link: ChatLink) {
    const address = addressOf(link)
    if (address) window.open(address, '_blank', 'noopener')
    else Message.error(t('chatLink.broken'))
  }

  if (!links?.length) {
    const problem = t(links ? 'chatLink.none' : 'chatLink.unreadable')
    return [{ label: t('token.chat'), start: () => void Message.error(problem) }]
  }
  return links.map((link) => ({ label: `${t('token.chat')}: ${labelOf(link)}`, start: () => start(link) }))
}
