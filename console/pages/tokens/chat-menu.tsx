import Button from '@arco-design/web-react/es/Button'
import Menu from '@arco-design/web-react/es/Menu'
import Message from '@arco-design/web-react/es/Message'
import { IconMessage } from '@arco-design/web-react/icon'
import { useTranslation } from 'react-i18next'
import { useStatus } from '../../api/status.ts'
import { keyOf, type Token } from '../../api/tokens.ts'
import { allChatLinks, type ChatLink, chatAddress, siteOf } from '../../chat-links.ts'
import { useBaseAddress } from '../../components/base-address.ts'
import { DropdownMenu } from '../../layout/dropdown-menu.tsx'

/** Opens the token in one of the platform's chat applications, in a tab of its own. */
export function ChatMenu({ token }: { token: Token }) {
  const { t } = useTranslation()
  const { data: status } = useStatus()
  const base = useBaseAddress()
  const links = status ? allChatLinks(status) : []

  const addressOf = ({ template }: ChatLink) => chatAddress(template, { address: base, key: keyOf(token) })

  /** The name is the operator's; what gets the key is the site. */
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

  const look = {
    size: 'mini',
    type: 'text',
    icon: <IconMessage />,
    'aria-label': `${t('token.chat')} ${token.name}`,
  } as const
  if (!links?.length) {
    return (
      <Button {...look} onClick={() => Message.error(t(links ? 'chatLink.none' : 'chatLink.unreadable'))}>
        {t('token.chat')}
      </Button>
    )
  }
  return (
    <DropdownMenu button={<Button {...look}>{t('token.chat')}</Button>}>
      {links.map((link, place) => (
        <Menu.Item key={String(place)} onClick={() => start(link)}>
          {labelOf(link)}
        </Menu.Item>
      ))}
    </DropdownMenu>
  )
}
