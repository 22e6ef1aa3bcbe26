import Alert from '@arco-design/web-react/es/Alert'
import Button from '@arco-design/web-react/es/Button'
import Form from '@arco-design/web-react/es/Form'
import Input from '@arco-design/web-react/es/Input'
import InputNumber from '@arco-design/web-react/es/InputNumber'
import Select from '@arco-design/web-react/es/Select'
import Slider from '@arco-design/web-react/es/Slider'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../api/failure.ts'
import { DEFAULT_SETTINGS, type PlaygroundSettings, TEMPERATURE } from './settings.ts'
import type { Choices } from './use-choices.ts'

interface Props {
  settings: PlaygroundSettings
  choices: Choices
  onChange: (settings: PlaygroundSettings) => void
}

export function SettingsPanel({ settings, choices: { models, groups }, onChange }: Props) {
  const { t } = useTranslation()
  const set = (change: Partial<PlaygroundSettings>) => onChange({ ...settings, ...change })
  const problem = models.error ?? groups.error
  return (
    <Form layout="vertical">
      {problem && (
        <Alert
          type="error"
          title={t('playground.modelsFailed')}
          content={failureText(t, problem)}
          action={
            <Button size="small" onClick={() => void Promise.all([models.refetch(), groups.refetch()])}>
              {t('table.retry')}
            </Button>
          }
        />
      )}
      <Form.Item label={t('playground.model')}>
        <Select
          aria-label={t('playground.model')}
          showSearch
          loading={models.isLoading}
          value={settings.model}
          onChange={(model: string) => set({ model })}
          options={models.data ?? []}
        />
      </Form.Item>
      <Form.Item label={t('playground.group')}>
        <Select
          aria-label={t('playground.group')}
          loading={groups.isLoading}
          value={settings.group}
          onChange={(group: string) => set({ group })}
          options={groupOptions()}
        />
      </Form.Item>
      <Form.Item
        label={t('playground.temperature')}
        extra={t('playground.temperatureHint', { value: settings.temperature })}
      >
        <Slider
          {...TEMPERATURE}
          value={settings.temperature}
          onChange={(temperature) => typeof temperature === 'number' && set({ temperature })}
        />
      </Form.Item>
      <Form.Item label={t('playground.maxTokens')} extra={t('playground.maxTokensHint')}>
        <InputNumber
          aria-label={t('playground.maxTokens')}
          min={0}
          max={10_000_000}
          precision={0}
          value={settings.maxTokens}
          onChange={(maxTokens: number | undefined) => set({ maxTokens: maxTokens ?? 0 })}
        />
      </Form.Item>
      <Form.Item label={t('playground.systemPrompt')}>
        <Input.TextArea
          aria-label={t('playground.systemPrompt')}
          placeholder={t('playground.systemPromptPlaceholder')}
          autoSize={{ minRows: 3, maxRows: 10 }}
          value={settings.systemPrompt}
          onChange={(systemPrompt) => set({ systemPrompt })}
        />
      </Form.Item>
      <Button long onClick={() => onChange(DEFAULT_SETTINGS)}>
        {t('playground.resetSettings')}
      </Button>
    </Form>
  )

  function groupOptions() {
    const found = (groups.data ?? []).map(({ name, desc, ratio }) => ({
      value: name,
      label: t('playground.groupOption', { name, desc, ratio }),
    }))
    return found.length > 0 ? found : [{ value: '', label: t('playground.ownGroup') }]
  }
}
