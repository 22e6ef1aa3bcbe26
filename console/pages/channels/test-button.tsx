import Button from '@arco-design/web-react/es/Button'
import Menu from '@arco-design/web-react/es/Menu'
import { IconDown } from '@arco-design/web-react/icon'
import { useTranslation } from 'react-i18next'
import type { Channel } from '../../api/channels.ts'
import { DropdownMenu } from '../../layout/dropdown-menu.tsx'
import { useTestable, useTestModels } from './kinds.ts'

interface Props {
  channel: Channel
  busy: boolean
  /** With the channel's own choice of a model, or with this one. */
  onTest: (model?: string) => void
}

/** Tests a channel at once, or with a model from the menu beside it. */
export function TestButton({ channel, busy, onTest }: Props) {
  const { t } = useTranslation()
  const models = useTestModels(channel)
  const testable = useTestable(channel.type)
  return (
    <Button.Group className="test-button" {...(!testable && { title: t('channel.notTestable') })}>
      <Button
        size="mini"
        loading={busy}
        disabled={!testable}
        aria-label={`${t('channel.test')} ${channel.name}`}
        onClick={() => onTest()}
      >
        {t('channel.test')}
      </Button>
      <DropdownMenu
        button={
          <Button
            size="mini"
            icon={<IconDown />}
            disabled={busy || !testable}
            aria-label={t('channel.testWith', { name: channel.name })}
          />
        }
      >
        {models.map((model) => (
          <Menu.Item key={model} onClick={() => onTest(model)}>
            {model}
          </Menu.Item>
        ))}
      </DropdownMenu>
    </Button.Group>
  )
}
