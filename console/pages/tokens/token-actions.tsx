import Button from '@arco-design/web-react/es/Button'
import Menu from '@arco-design/web-react/es/Menu'
import Switch from '@arco-design/web-react/es/Switch'
import { IconCode, IconCodeBlock, IconCopy, IconDelete, IconEdit, IconEye, IconMore } from '@arco-design/web-react/icon'
import { useTranslation } from 'react-i18next'
import { TOKEN_STATUS, type Token } from '../../api/tokens.ts'
import { DropdownMenu } from '../../layout/dropdown-menu.tsx'
import { ChatMenu } from './chat-menu.tsx'

export interface TokenActs {
  onCopy: (token: Token) => void
  onView: (token: Token) => void
  onToggle: (token: Token) => void
  onEdit: (token: Token) => void
  onDelete: (token: Token) => void
  onCopyEnvironment: (token: Token) => void
  onCopyCurl: (token: Token) => void
}

/** What can be done with one token. Only 1 and 2 are for people to set; the other states end by an edit of their cause. */
export function TokenActions({ token, ...acts }: TokenActs & { token: Token }) {
  const { t } = useTranslation()
  const enabled = token.status === TOKEN_STATUS.enabled
  const switchable = enabled || token.status === TOKEN_STATUS.disabled
  return (
    <div className="row-actions">
      <Switch
        size="small"
        checked={enabled}
        disabled={!switchable}
        aria-label={`${t(enabled ? 'action.disable' : 'action.enable')} ${token.name}`}
        onChange={() => acts.onToggle(token)}
      />
      <Button
        size="mini"
        type="text"
        icon={<IconCopy />}
        aria-label={`${t('action.copy')} ${token.name}`}
        onClick={() => acts.onCopy(token)}
      >
        {t('action.copy')}
      </Button>
      <ChatMenu token={token} />
      <Button
        size="mini"
        type="text"
        icon={<IconEdit />}
        aria-label={`${t('action.edit')} ${token.name}`}
        onClick={() => acts.onEdit(token)}
      >
        {t('action.edit')}
      </Button>
      <DropdownMenu
        button={<Button size="mini" type="text" icon={<IconMore />} aria-label={`${t('action.more')} ${token.name}`} />}
      >
        <Menu.Item key="view" onClick={() => acts.onView(token)}>
          <IconEye /> {t('token.view')}
        </Menu.Item>
        <Menu.Item key="environment" onClick={() => acts.onCopyEnvironment(token)}>
          <IconCode /> {t('token.copyEnvironment')}
        </Menu.Item>
        <Menu.Item key="curl" onClick={() => acts.onCopyCurl(token)}>
          <IconCodeBlock /> {t('token.copyCurl')}
        </Menu.Item>
        <Menu.Item key="delete" className="danger" onClick={() => acts.onDelete(token)}>
          <IconDelete /> {t('action.delete')}
        </Menu.Item>
      </DropdownMenu>
    </div>
  )
}
