import Button from '@arco-design/web-react/es/Button'
import Menu from '@arco-design/web-react/es/Menu'
import { IconEdit, IconMore, IconPause, IconPlayArrow } from '@arco-design/web-react/icon'
import { useTranslation } from 'react-i18next'
import { DropdownMenu } from '../../layout/dropdown-menu.tsx'
import { useNarrow } from '../../layout/narrow.ts'
import type { TagRow } from './rows.ts'

export interface TagActs {
  onEnableAll: (tag: string) => void
  onDisableAll: (tag: string) => void
  onEditTag: (tag: string) => void
}

/** What can be done with all channels of a tag; on a phone it is in a menu. */
export function TagActions({ row: { tag }, acts }: { row: TagRow; acts: TagActs }) {
  const { t } = useTranslation()
  const narrow = useNarrow()
  const enableAll = () => acts.onEnableAll(tag)
  const disableAll = () => acts.onDisableAll(tag)
  const edit = () => acts.onEditTag(tag)
  if (narrow) {
    return (
      <DropdownMenu
        button={<Button size="mini" type="text" icon={<IconMore />} aria-label={`${t('action.more')} ${tag}`} />}
      >
        <Menu.Item key="enable" onClick={enableAll}>
          <IconPlayArrow /> {t('channel.enableAll')}
        </Menu.Item>
        <Menu.Item key="disable" onClick={disableAll}>
          <IconPause /> {t('channel.disableAll')}
        </Menu.Item>
        <Menu.Item key="edit" onClick={edit}>
          <IconEdit /> {t('action.edit')}
        </Menu.Item>
      </DropdownMenu>
    )
  }
  return (
    <div className="row-actions">
      <Button size="mini" onClick={enableAll} aria-label={`${t('channel.enableAll')} ${tag}`}>
        {t('channel.enableAll')}
      </Button>
      <Button size="mini" onClick={disableAll} aria-label={`${t('channel.disableAll')} ${tag}`}>
        {t('channel.disableAll')}
      </Button>
      <Button size="mini" type="text" icon={<IconEdit />} onClick={edit} aria-label={`${t('action.edit')} ${tag}`}>
        {t('action.edit')}
      </Button>
    </div>
  )
}
