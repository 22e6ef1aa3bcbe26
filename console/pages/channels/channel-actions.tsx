import Button from '@arco-design/web-react/es/Button'
import Menu from '@arco-design/web-react/es/Menu'
import Switch from '@arco-design/web-react/es/Switch'
import { IconCopy, IconDelete, IconEdit, IconHeart, IconMore, IconThunderbolt } from '@arco-design/web-react/icon'
import { useTranslation } from 'react-i18next'
import { CHANNEL_STATUS, type Channel } from '../../api/channels.ts'
import { DropdownMenu } from '../../layout/dropdown-menu.tsx'
import { useNarrow } from '../../layout/narrow.ts'
import { useTestable, useTestModels } from './kinds.ts'
import { TestButton } from './test-button.tsx'

export interface ChannelActs {
  /** Channels that are being tested now. */
  testing: ReadonlySet<number>
  onTest: (channel: Channel, model?: string) => void
  onToggle: (channel: Channel) => void
  onEdit: (channel: Channel) => void
  onCopy: (channel: Channel) => void
  onHealth: (channel: Channel) => void
  onDelete: (channel: Channel) => void
}

/** What can be done with one channel; on a phone most of it is in the menu. */
export function ChannelActions({ channel, acts }: { channel: Channel; acts: ChannelActs }) {
  const { t } = useTranslation()
  const narrow = useNarrow()
  const { name } = channel
  const enabled = channel.status === CHANNEL_STATUS.enabled
  const busy = acts.testing.has(channel.id)
  const testable = useTestable(channel.type)
  const models = useTestModels(channel)
  return (
    <div className="row-actions">
      <Switch
        size="small"
        checked={enabled}
        aria-label={`${t(enabled ? 'action.disable' : 'action.enable')} ${name}`}
        onChange={() => acts.onToggle(channel)}
      />
      {!narrow && (
        <>
          <TestButton channel={channel} busy={busy} onTest={(model) => acts.onTest(channel, model)} />
          <Button
            size="mini"
            type="text"
            icon={<IconEdit />}
            aria-label={`${t('action.edit')} ${name}`}
            onClick={() => acts.onEdit(channel)}
          >
            {t('action.edit')}
          </Button>
        </>
      )}
      <DropdownMenu
        button={
          <Button
            size="mini"
            type="text"
            icon={<IconMore />}
            loading={narrow && busy}
            aria-label={`${t('action.more')} ${name}`}
          />
        }
      >
        {narrow && (
          <Menu.Item
            key="test"
            disabled={!testable}
            {...(!testable && { title: t('channel.notTestable') })}
            onClick={() => acts.onTest(channel)}
          >
            <IconThunderbolt /> {t('channel.test')}
          </Menu.Item>
        )}
        {narrow && (
          <Menu.Item key="edit" onClick={() => acts.onEdit(channel)}>
            <IconEdit /> {t('action.edit')}
          </Menu.Item>
        )}
        <Menu.Item key="copy" onClick={() => acts.onCopy(channel)}>
          <IconCopy /> {t('action.copy')}
        </Menu.Item>
        <Menu.Item key="health" onClick={() => acts.onHealth(channel)}>
          <IconHeart /> {t('channel.health.open')}
        </Menu.Item>
        <Menu.Item key="delete" className="danger" onClick={() => acts.onDelete(channel)}>
          <IconDelete /> {t('action.delete')}
        </Menu.Item>
        {narrow && testable && models.length > 1 && (
          <Menu.ItemGroup title={t('channel.testWith', { name })}>
            {models.map((model) => (
              <Menu.Item key={`test ${model}`} onClick={() => acts.onTest(channel, model)}>
                {model}
              </Menu.Item>
            ))}
          </Menu.ItemGroup>
        )}
      </DropdownMenu>
    </div>
  )
}
