import Menu from '@arco-design/web-react/es/Menu'
import { IconPause, IconPlayArrow } from '@arco-design/web-react/icon'
import { useTranslation } from 'react-i18next'
import { RowMenu } from '../../components/data-table/row-menu.tsx'
import type { TagRow } from './rows.ts'

export interface TagActs {
  onEnableAll: (tag: string) => void
  onDisableAll: (tag: string) => void
  onEditTag: (tag: string) => void
}

/** Actions on all channels of a tag. */
export function TagActions({ row: { tag }, acts }: { row: TagRow; acts: TagActs }) {
  const { t } = useTranslation()
  return (
    <RowMenu name={tag} verb={{ text: t('action.edit'), onClick: () => acts.onEditTag(tag) }}>
      <Menu.Item key="enable" onClick={() => acts.onEnableAll(tag)}>
        <IconPlayArrow /> {t('channel.enableAll')}
      </Menu.Item>
      <Menu.Item key="disable" onClick={() => acts.onDisableAll(tag)}>
        <IconPause /> {t('channel.disableAll')}
      </Menu.Item>
    </RowMenu>
  )
}
