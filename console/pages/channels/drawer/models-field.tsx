import Button from '@arco-design/web-react/es/Button'
import Input from '@arco-design/web-react/es/Input'
import Message from '@arco-design/web-react/es/Message'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCopy } from '../../../components/copy.tsx'
import { TagSelect } from '../../../components/form/tag-select.tsx'
import { listOf } from './channel-form.ts'
import { FetchModels } from './fetch-models.tsx'

interface Props {
  id?: string
  'aria-label'?: string
  value?: string[]
  onChange?: (models: string[]) => void
  error?: boolean
  placeholder?: string
  /** The type's default models, if any. */
  related?: readonly string[]
  /** All known models. */
  builtIn: readonly string[]
  /** Fetches the upstream's models; absent if the provider cannot list them. */
  onFetch?: (() => Promise<string[]>) | undefined
}

/** The channel's models: selected, filled in from a list, fetched from the upstream, or typed. */
export function ModelsInput({ value = [], onChange, related, builtIn, onFetch, placeholder, ...names }: Props) {
  const { t } = useTranslation()
  const copy = useCopy()
  const [custom, setCustom] = useState('')
  const set = (models: readonly string[]) => onChange?.([...new Set(models)])

  function addCustom() {
    const names = listOf(custom)
    const fresh = names.filter((model) => !value.includes(model))
    if (fresh.length < names.length) Message.error(t('channelForm.modelExists'))
    if (fresh.length === 0) return
    set([...value, ...fresh])
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
        onChange={(models: string[]) => set(models.flatMap(listOf))}
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
