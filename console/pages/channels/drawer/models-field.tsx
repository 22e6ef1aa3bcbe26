import Button from '@arco-design/web-react/es/Button'
import Input from '@arco-design/web-react/es/Input'
import Message from '@arco-design/web-react/es/Message'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCopy } from '../../../components/copy.tsx'
import { TagSelect } from '../../../components/form/tag-select.tsx'
import { splitModels } from './channel-form.ts'
import { FetchModels } from './fetch-models.tsx'

interface Props {
  id?: string
  'aria-label'?: string
  value?: string[]
  onChange?: (models: string[]) => void
  error?: boolean
  placeholder?: string
  /** The default models of the channel type. If absent, the button that adds them is hidden. */
  related?: readonly string[]
  /** All built-in model names. */
  builtIn: readonly string[]
  /** Fetches the upstream's models. If absent, the fetch button is hidden. */
  onFetch?: (() => Promise<string[]>) | undefined
}

/**
 * An input for the channel's models. The user can select, type or fetch models, or add all default or all built-in
 * models.
 */
export function ModelsInput({ value = [], onChange, related, builtIn, onFetch, placeholder, ...names }: Props) {
  const { t } = useTranslation()
  const copy = useCopy()
  const [custom, setCustom] = useState('')
  const set = (models: readonly string[]) => onChange?.([...new Set(models)])

  function addCustom() {
    const names = splitModels(custom)
    const newNames = names.filter((model) => !value.includes(model))
    if (newNames.length < names.length) Message.error(t('channelForm.modelExists'))
    if (newNames.length === 0) return
    set([...value, ...newNames])
    setCustom('')
  }

  return (
    <div className="channel-models">
      <TagSelect
        {...names}
        allowClear
        allowCreate
        showSearch
        value={value}
        onChange={(models: string[]) => set(models.flatMap(splitModels))}
        options={[...new Set([...(related ?? []), ...builtIn, ...value])]}
        placeholder={placeholder ?? t('channelForm.modelsHint')}
      />
      <div className="channel-models-acts">
        {related && (
          <Button size="small" disabled={related.length === 0} onClick={() => set([...value, ...related])}>
            {t('channelForm.fillRelated')}
          </Button>
        )}
        <Button size="small" disabled={builtIn.length === 0} onClick={() => set([...value, ...builtIn])}>
          {t('channelForm.fillAll')}
        </Button>
        {onFetch && <FetchModels selected={value} onFetch={onFetch} onChoose={set} />}
        <Button size="small" disabled={value.length === 0} onClick={() => void copy(value.join(','))}>
          {t('channelForm.copyModels')}
        </Button>
        <Button size="small" disabled={value.length === 0} onClick={() => set([])}>
          {t('channelForm.clearModels')}
        </Button>
      </div>
      <Input.Search
        value={custom}
        onChange={setCustom}
        onSearch={addCustom}
        onPressEnter={(event) => event.preventDefault()}
        searchButton={t('channelForm.addCustom')}
        aria-label={t('channelForm.customModels')}
        placeholder={t('channelForm.customModelsHint')}
      />
    </div>
  )
}
