import Button from '@arco-design/web-react/es/Button'
import Checkbox from '@arco-design/web-react/es/Checkbox'
import Input from '@arco-design/web-react/es/Input'
import Message from '@arco-design/web-react/es/Message'
import Modal from '@arco-design/web-react/es/Modal'
import { IconCloudDownload } from '@arco-design/web-react/icon'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { tellFailure } from '../../../components/tell-failure.ts'

interface Props {
  /** The channel's current models. */
  chosen: readonly string[]
  /** Fetches the upstream's models. */
  onFetch: () => Promise<string[]>
  onChoose: (models: readonly string[]) => void
}

/** Fetches the upstream's models for selection. Models that are not in its list stay selected. */
export function FetchModels({ chosen, onFetch, onChoose }: Props) {
  const { t } = useTranslation()
  const [found, setFound] = useState<string[]>()
  const fetching = useMutation({
    mutationFn: async () => [...new Set(await onFetch())].sort((a, b) => a.localeCompare(b)),
    onSuccess: (models) => (models.length > 0 ? setFound(models) : Message.warning(t('channelForm.fetchedNone'))),
    onError: (error) => tellFailure(t, error, (reason) => t('channelForm.fetchFailed', { reason })),
  })
  return (
    <>
      <Button
        size="small"
        type="primary"
        icon={<IconCloudDownload />}
        loading={fetching.isPending}
        onClick={() => fetching.mutate()}
      >
        {t('channelForm.fetch')}
      </Button>
      {found && (
        <ModelPicker
          found={found}
          chosen={chosen}
          onClose={() => setFound(undefined)}
          onChoose={(picked) => onChoose([...chosen.filter((model) => !found.includes(model)), ...picked])}
        />
      )}
    </>
  )
}

interface PickerProps {
  found: readonly string[]
  chosen: readonly string[]
  onChoose: (picked: readonly string[]) => void
  onClose: () => void
}

function ModelPicker({ found, chosen, onChoose, onClose }: PickerProps) {
  const { t } = useTranslation()
  const [picked, setPicked] = useState<ReadonlySet<string>>(
    () => new Set(found.filter((model) => chosen.includes(model))),
  )
  const [search, setSearch] = useState('')
  const shown = found.filter((model) => model.toLowerCase().includes(search.trim().toLowerCase()))
  const pickedShown = shown.filter((model) => picked.has(model))

  function pick(models: readonly string[], on: boolean) {
    const rest = [...picked].filter((model) => !models.includes(model))
    setPicked(new Set(on ? [...rest, ...models] : rest))
  }

  return (
    <Modal
      visible
      title={t('channelForm.pickTitle')}
      onCancel={onClose}
      onOk={() => {
        onChoose(found.filter((model) => picked.has(model)))
        onClose()
      }}
      okText={t('channelForm.pickDone', { count: picked.size })}
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
        checked={shown.length > 0 && pickedShown.length === shown.length}
        indeterminate={pickedShown.length > 0 && pickedShown.length < shown.length}
        disabled={shown.length === 0}
        onChange={(on) => pick(shown, on)}
      >
        {t('channelForm.pickEvery', { count: shown.length })}
      </Checkbox>
      <div className="channel-models-found">
        {shown.map((model) => (
          <Checkbox key={model} checked={picked.has(model)} onChange={(on) => pick([model], on)}>
            {model}
          </Checkbox>
        ))}
        {shown.length === 0 && <p>{t('table.noMatch')}</p>}
      </div>
    </Modal>
  )
}
