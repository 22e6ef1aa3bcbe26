import Menu from '@arco-design/web-react/es/Menu'
import { IconCopy, IconDelete, IconEdit, IconHeart, IconPause, IconPlayArrow } from '@arco-design/web-react/icon'
import { useTranslation } from 'react-i18next'
import { CHANNEL_STATUS, type Channel } from '../../api/channels.ts'
import { RowMenu } from '../../components/data-table/row-menu.tsx'
import { useTestable, useTestModels } from './kinds.ts'
import type { TagRow } from './rows.ts'

export interface ChannelHandlers {
  /** Ids of the channels with a running test. */
  testing: ReadonlySet<number>
  onTest: (channel: Channel, model?: string) => void
  onToggle: (channel: Channel) => void
  onEdit: (channel: Channel) => void
  onCopy: (channel: Channel) => void
  onHealth: (channel: Channel) => void
  onDelete: (channel: Channel) => void
}

/** The actions of a channel: a test button, and a menu with the other actions and with tests of single models. */
export function ChannelActions({ channel, handlers }: { channel: Channel; handlers: ChannelHandlers }) {
  const { t } = useTranslation()
  const { name } = channel
  const enabled = channel.status === CHANNEL_STATUS.enabled
  const testable = useTestable(channel.type)
  const models = useTestModels(channel)
  return (
    <RowMenu
      name={name}
      mainAction={{
        text: t('channel.test'),
        loading: handlers.testing.has(channel.id),
        disabled: !testable,
        ...(!testable && { title: t('channel.notTestable') }),
        onClick: () => handlers.onTest(channel),
      }}
    >
      <Menu.Item key="edit" onClick={() => handlers.onEdit(channel)}>
        <IconEdit /> {t('action.edit')}
      </Menu.Item>
      <Menu.Item key="toggle" onClick={() => handlers.onToggle(channel)}>
        {enabled ? <IconPause /> : <IconPlayArrow />} {t(enabled ? 'action.disable' : 'action.enable')}
      </Menu.Item>
      <Menu.Item key="copy" onClick={() => handlers.onCopy(channel)}>
        <IconCopy /> {t('action.copy')}
      </Menu.Item>
      <Menu.Item key="health" onClick={() => handlers.onHealth(channel)}>
        <IconHeart /> {t('channel.health.open')}
      </Menu.Item>
      <Menu.Item key="delete" className="danger" onClick={() => handlers.onDelete(channel)}>
        <IconDelete /> {t('action.delete')}
      </Menu.Item>
      {testable && models.length > 1 && (
        <Menu.ItemGroup title={t('channel.testWith', { name })}>
          {models.map((model) => (
            <Menu.Item key={`test ${model}`} onClick={() => handlers.onTest(channel, model)}>
              {model}
            </Menu.Item>
          ))}
        </Menu.ItemGroup>
      )}
    </RowMenu>
  )
}

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
