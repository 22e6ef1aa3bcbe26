import Menu from '@arco-design/web-react/es/Menu'
import Message from '@arco-design/web-react/es/Message'
import {
  IconCode,
  IconCodeBlock,
  IconDelete,
  IconEdit,
  IconEye,
  IconMessage,
  IconPause,
  IconPlayArrow,
} from '@arco-design/web-react/icon'
import { useTranslation } from 'react-i18next'
import { useStatus } from '../../api/status.ts'
import { fullKeyOf, TOKEN_STATUS, type Token } from '../../api/tokens.ts'
import { allChatLinks, type ChatLink, chatAddress, siteOf } from '../../chat-links.ts'
import { useBaseAddress } from '../../components/base-address.ts'
import { RowMenu } from '../../components/data-table/row-menu.tsx'

export interface TokenHandlers {
  onCopy: (token: Token) => void
  onView: (token: Token) => void
  onToggle: (token: Token) => void
  onEdit: (token: Token) => void
  onDelete: (token: Token) => void
  onCopyEnvironment: (token: Token) => void
  onCopyCurl: (token: Token) => void
}

/**
 * The actions of a token. Users can switch only between enabled and disabled. Other statuses end after an edit removes
 * their cause.
 */
export function TokenActions({ token, handlers }: { token: Token; handlers: TokenHandlers }) {
  const { t } = useTranslation()
  const chats = useChatLinks(token)
  const enabled = token.status === TOKEN_STATUS.enabled
  const canSwitch = enabled || token.status === TOKEN_STATUS.disabled
  return (
    <RowMenu name={token.name} mainAction={{ text: t('action.copy'), onClick: () => handlers.onCopy(token) }}>
      <Menu.Item key="edit" onClick={() => handlers.onEdit(token)}>
        <IconEdit /> {t('action.edit')}
      </Menu.Item>
      <Menu.Item key="toggle" disabled={!canSwitch} aria-disabled={!canSwitch} onClick={() => handlers.onToggle(token)}>
        {enabled ? <IconPause /> : <IconPlayArrow />} {t(enabled ? 'action.disable' : 'action.enable')}
      </Menu.Item>
      <Menu.Item key="view" onClick={() => handlers.onView(token)}>
        <IconEye /> {t('token.view')}
      </Menu.Item>
      <Menu.Item key="environment" onClick={() => handlers.onCopyEnvironment(token)}>
        <IconCode /> {t('token.copyEnvironment')}
      </Menu.Item>
      <Menu.Item key="curl" onClick={() => handlers.onCopyCurl(token)}>
        <IconCodeBlock /> {t('token.copyCurl')}
      </Menu.Item>
      {chats.map(({ label, start }) => (
        <Menu.Item key={`chat ${label}`} onClick={start}>
          <IconMessage /> {label}
        </Menu.Item>
      ))}
      <Menu.Item key="delete" className="danger" onClick={() => handlers.onDelete(token)}>
        <IconDelete /> {t('action.delete')}
      </Menu.Item>
    </RowMenu>
  )
}

interface Chat {
  label: string
  start: () => void
}

/**
 * Returns a menu entry for each chat application of the platform. The entry opens the application with this token in a
 * new tab. If there are no applications, returns one entry that reports this.
 */
function useChatLinks(token: Token): Chat[] {
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
    return [{ label: t('screen.chat'), start: () => void Message.error(problem) }]
  }
  return links.map((link) => ({ label: `${t('screen.chat')}: ${labelOf(link)}`, start: () => start(link) }))
}
