import Menu from '@arco-design/web-react/es/Menu'
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
import { TOKEN_STATUS, type Token } from '../../api/tokens.ts'
import { RowMenu } from '../../components/data-table/row-menu.tsx'
import { useChatLinks } from './use-chat-links.ts'

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
 * The actions of a token. Users can switch only between enabled and disabled. Other statuses end after an edit removes their
 * cause.
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
