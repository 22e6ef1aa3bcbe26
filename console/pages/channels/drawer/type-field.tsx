import Select from '@arco-design/web-react/es/Select'
import type { SelectHandle } from '@arco-design/web-react/es/Select/interface'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { ChannelType } from '../../../api/channel-form.ts'
import { Field } from '../../../components/form/field.tsx'

interface Props {
  kinds: readonly ChannelType[]
  /** The channel's current type, which can be selected even if it is retired. */
  current?: number | undefined
  onChoose: (type: number) => void
}

/** A select for the channel type. Lists types for new channels, types of old channels, then types no longer relayed. */
export function TypeField({ kinds, current, onChoose }: Props) {
  const { t } = useTranslation()
  const select = useRef<SelectHandle>(null)
  useEffect(() => {
    if (current === undefined) select.current?.focus()
  }, [current])
  const groups = [
    { label: t('channelForm.kinds.offered'), kinds: kinds.filter(({ offered }) => offered) },
    { label: t('channelForm.kinds.hidden'), kinds: kinds.filter(({ offered, retired }) => !offered && !retired) },
    { label: t('channelForm.kinds.unserved'), kinds: kinds.filter(({ retired }) => retired) },
  ]
  return (
    <Field label={t('field.type')} field="type" rules={[{ required: true, message: t('channelForm.typeMissing') }]}>
      <Select
        ref={select}
        showSearch
        placeholder={t('channelForm.typeHint')}
        onChange={onChoose}
        filterOption={(text, option) => {
          const type = numberOf(option.props)
          return matchesKind(
            kinds.find((kind) => kind.type === type),
            text,
          )
        }}
      >
        {groups.map(({ label, kinds: groupKinds }) => (
          <Select.OptGroup key={label} label={label}>
            {groupKinds.map(({ type, name, retired }) => (
              <Select.Option key={type} value={type} disabled={retired !== '' && type !== current} title={retired}>
                {retired ? t('channelForm.unserved', { name }) : name}
              </Select.Option>
            ))}
          </Select.OptGroup>
        ))}
      </Select>
    </Field>
  )
}

/** Returns whether a type's name or command-line name contains the search text, or its number equals the text. */
function matchesKind(kind: ChannelType | undefined, search: string): boolean {
  const searchText = search.trim().toLowerCase()
  if (!kind) return false
  return String(kind.type) === searchText || `${kind.name} ${kind.slug}`.toLowerCase().includes(searchText)
}

function numberOf(option: unknown): number {
  return typeof option === 'object' && option !== null && 'value' in option ? Number(option.value) : Number.NaN
}

/** Numbers of the most common types: OpenAI, Anthropic, Gemini, DeepSeek, Azure OpenAI, AWS, OpenRouter, Ollama. */
const POPULAR = [1, 14, 24, 43, 3, 33, 20, 4]

interface ProviderTilesProps {
  kinds: readonly ChannelType[]
  onChoose: (type: number) => void
}

/** Buttons for the most common providers, as the first step of a new channel. The select below has all providers. */
export function ProviderTiles({ kinds, onChoose }: ProviderTilesProps) {
  const { t } = useTranslation()
  const popular = POPULAR.flatMap((type) => kinds.find((kind) => kind.type === type && kind.offered) ?? [])
  return (
    <fieldset className="provider-tiles">
      <legend>{t('channelForm.usual')}</legend>
      {popular.map(({ type, name }) => (
        <button key={type} type="button" onClick={() => onChoose(type)}>
          {name}
        </button>
      ))}
    </fieldset>
  )
}
