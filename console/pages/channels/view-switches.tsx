import Switch from '@arco-design/web-react/es/Switch'
import { useTranslation } from 'react-i18next'
import type { ChannelViewParams } from './use-channels.ts'

const SWITCHES = [
  ['id_sort', 'channel.idSort'],
  ['batch', 'channel.batch'],
  ['tag_mode', 'channel.tagMode'],
] as const

interface Props {
  view: ChannelViewParams
  onChange: (change: Partial<ChannelViewParams>) => void
}

/** Switches that change the view of the list. */
export function ViewSwitches({ view, onChange }: Props) {
  const { t } = useTranslation()
  return (
    <div className="view-switches">
      {SWITCHES.map(([name, text]) => (
        // biome-ignore lint/a11y/noLabelWithoutControl: the switch has its own name; the label makes the text clickable
        <label key={name} className="view-switch">
          <Switch
            size="small"
            checked={view[name] === 'true'}
            aria-label={t(text)}
            onChange={(on) => onChange({ [name]: on ? 'true' : '' })}
          />
          <span aria-hidden="true">{t(text)}</span>
        </label>
      ))}
    </div>
  )
}
