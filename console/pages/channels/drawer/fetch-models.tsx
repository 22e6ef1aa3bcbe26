import Button from '@arco-design/web-react/es/Button'
import Checkbox from '@arco-design/web-react/es/Checkbox'
import Input from '@arco-design/web-react/es/Input'
import Message from '@arco-design/web-react/es/Message'
import Modal from '@arco-design/web-react/es/Modal'
import { IconCloudDownload, IconThunderbolt } from '@arco-design/web-react/icon'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { showError } from '../../../components/show-error.ts'

interface Props {
  /** The channel's current models. */
  selected: readonly string[]
  /** Fetches the upstream's models. */
  onFetch: () => Promise<string[]>
  onChoose: (models: readonly string[]) => void
}

/** Fetches the upstream's models for the user to select. Selected models that the upstream does not list remain. */
export function FetchModels({ selected, onFetch, onChoose }: Props) {
  const { t } = useTranslation()
  const [fetchedModels, setFetched] = useState<string[]>()
  const fetchAction = useFetchAction(onFetch, setFetched)
  return (
    <>
      <Button
        size="small"
        type="primary"
        icon={<IconCloudDownload />}
        loading={fetchAction.isPending}
        onClick={() => fetchAction.mutate()}
      >
        {t('channelForm.fetch')}
      </Button>
      {fetchedModels && (
        <ModelPicker
          available={fetchedModels}
          selected={selected}
          onClose={() => setFetched(undefined)}
          onChoose={(models) => onChoose([...selected.filter((model) => !fetchedModels.includes(model)), ...models])}
        />
      )}
    </>
  )
}

/** A button that tests the key. It fetches the models that the key can use and puts these models into the form. */
export function TestAndFetch({ onFetch, onChoose }: Omit<Props, 'selected'>) {
  const { t } = useTranslation()
  const fetchAction = useFetchAction(onFetch, (models) => {
    onChoose(models)
    Message.success(t('channelForm.accountModels', { count: models.length }))
  })
  return (
    <div className="test-and-fetch">
      <Button
        type="outline"
        icon={<IconThunderbolt />}
        loading={fetchAction.isPending}
        onClick={() => fetchAction.mutate()}
      >
        {t('channelForm.testAndFetch')}
      </Button>
    </div>
  )
}

/** Returns the action that fetches the upstream's models, sorted by name. Warns if the upstream lists none. */
function useFetchAction(onFetch: () => Promise<string[]>, onModels: (models: string[]) => void) {
  const { t } = useTranslation()
  return useMutation({
    mutationFn: async () => [...new Set(await onFetch())].sort((a, b) => a.localeCompare(b)),
    onSuccess: (models) => (models.length > 0 ? onModels(models) : Message.warning(t('channelForm.fetchedNone'))),
    onError: (error) => showError(t, error, (reason) => t('channelForm.fetchFailed', { reason })),
  })
}

interface PickerProps {
  available: readonly string[]
  selected: readonly string[]
  onChoose: (models: readonly string[]) => void
  onClose: () => void
}

function ModelPicker({ available, selected, onChoose, onClose }: PickerProps) {
  const { t } = useTranslation()
  const [checked, setChecked] = useState<ReadonlySet<string>>(
    () => new Set(available.filter((model) => selected.includes(model))),
  )
  const [search, setSearch] = useState('')
  const visible = available.filter((model) => model.toLowerCase().includes(search.trim().toLowerCase()))
  const checkedVisible = visible.filter((model) => checked.has(model))

  function pick(models: readonly string[], on: boolean) {
    const otherModels = [...checked].filter((model) => !models.includes(model))
    setChecked(new Set(on ? [...otherModels, ...models] : otherModels))
  }

  return (
    <Modal
      visible
      title={t('channelForm.pickTitle')}
      onCancel={onClose}
      onOk={() => {
        onChoose(available.filter((model) => checked.has(model)))
        onClose()
      }}
      okText={t('channelForm.pickDone', { count: checked.size })}
      cancelText={t('action.cancel')}
    >
      <Input.Search
        value={search}
        onChange={setSearch}
        allowClear
        autoFocus
        aria-label={t('channelForm.pickSearch')}
        placeholder={t('channelForm.pickSearch')}
      />
      <Checkbox
        className="channel-models-every"
        checked={visible.length > 0 && checkedVisible.length === visible.length}
        indeterminate={checkedVisible.length > 0 && checkedVisible.length < visible.length}
        disabled={visible.length === 0}
        onChange={(on) => pick(visible, on)}
      >
        {t('channelForm.pickEvery', { count: visible.length })}
      </Checkbox>
      <div className="channel-models-found">
        {visible.map((model) => (
          <Checkbox key={model} checked={checked.has(model)} onChange={(on) => pick([model], on)}>
            {model}
          </Checkbox>
        ))}
        {visible.length === 0 && <p>{t('table.noMatch')}</p>}
      </div>
    </Modal>
  )
}
