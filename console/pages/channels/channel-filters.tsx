import Select from '@arco-design/web-react/es/Select'
import Switch from '@arco-design/web-react/es/Switch'
import Tag from '@arco-design/web-react/es/Tag'
import type { ReactElement } from 'react'
import { useTranslation } from 'react-i18next'
import { CHANNEL_STATUS } from '../../api/channels.ts'
import { FilterBar } from '../../components/filter-bar.tsx'
import { useChannelChoices, useKinds } from './drawer/use-channel-form.ts'
import type { ChannelViewParams, ChannelFilterValues as Filters } from './use-channels.ts'

interface Props {
  filters: Filters
  count: number
  onChange: (change: Partial<Filters>) => void
  onClear: (() => void) | undefined
}

/** Returns the text of a select's option, which is the option's only child. */
const textOf = ({ props }: ReactElement): string =>
  typeof props === 'object' && props !== null && 'children' in props ? String(props.children) : ''

const STATES = ['enabled', 'disabled', 'autoDisabled'] as const

export function ChannelFilters({ filters, count, onChange, onClear }: Props) {
  const { t } = useTranslation()
  const { groups, builtInModels } = useChannelChoices()
  const { data: kinds = [] } = useKinds()
  const selectProps = (name: keyof Filters, label: string) => ({
    value: (filters[name] || undefined) as string,
    placeholder: label,
    'aria-label': label,
    onChange: (value: string | undefined) => onChange({ [name]: value ?? '' }),
    allowClear: true,
    showSearch: true,
  })
  return (
    <FilterBar
      fields={[{ name: 'keyword', label: t('channel.searchKeyword') }]}
      values={{ keyword: filters.keyword }}
      count={count}
      onSearch={onChange}
      onClear={onClear}
    >
      <Select {...selectProps('model', t('field.model'))} allowCreate options={builtInModels} />
      <Select {...selectProps('group', t('field.group'))} options={groups} />
      <Select
        {...selectProps('status', t('field.status'))}
        options={STATES.map((state) => ({ value: String(CHANNEL_STATUS[state]), label: t(`channel.state.${state}`) }))}
      />
      <Select
        {...selectProps('type', t('field.type'))}
        filterOption={(input, option) => textOf(option).toLowerCase().includes(input.toLowerCase())}
        options={kinds.map(({ type, name }) => ({ value: String(type), label: name }))}
      />
      {filters.tag && (
        <Tag closable onClose={() => onChange({ tag: '' })}>
          {t('channel.tagFilter', { tag: filters.tag })}
        </Tag>
      )}
    </FilterBar>
  )
}

const SWITCHES = [
  ['id_sort', 'channel.idSort'],
  ['batch', 'channel.batch'],
  ['tag_mode', 'channel.tagMode'],
] as const

interface ViewSwitchesProps {
  view: ChannelViewParams
  onChange: (change: Partial<ChannelViewParams>) => void
}

/** Switches that change the view of the list. */
export function ViewSwitches({ view, onChange }: ViewSwitchesProps) {
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
