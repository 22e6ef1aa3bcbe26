import Menu from '@arco-design/web-react/es/Menu'
import { IconPause, IconPlayArrow } from '@arco-design/web-react/icon'
import { useTranslation } from 'react-i18next'
import { RowMenu } from '../../components/data-table/row-menu.tsx'
import type { TagRow } from './rows.ts'

export interface TagHandlers {
  onEnableAll: (tag: string) => void
  onDisableAll: (tag: string) => void
  onEditTag: (tag: string) => void
}

/** The row's actions on all channels of a tag. */
export function TagActions({ row: { tag }, handlers }: { row: TagRow; handlers: TagHandlers }) {
  const { t } = useTranslation()
  return (
    <RowMenu name={tag} mainAction={{ text: t('action.edit'), onClick: () => handlers.onEditTag(tag) }}>
      <Menu.Item key="enable" onClick={() => handlers.onEnableAll(tag)}>
        <IconPlayArrow /> {t('channel.enableAll')}
      </Menu.Item>
      <Menu.Item key="disable" onClick={() => handlers.onDisableAll(tag)}>
        <IconPause /> {t('channel.disableAll')}
      </Menu.Item>
    </RowMenu>
  )
}
