import Button from '@arco-design/web-react/es/Button'
import Form from '@arco-design/web-react/es/Form'
import Input from '@arco-design/web-react/es/Input'
import InputNumber from '@arco-design/web-react/es/InputNumber'
import Select from '@arco-design/web-react/es/Select'
import Slider from '@arco-design/web-react/es/Slider'
import Switch from '@arco-design/web-react/es/Switch'
import { useTranslation } from 'react-i18next'
import { Field } from '../../components/form/field.tsx'
import { TagSelect } from '../../components/form/tag-select.tsx'
import { groupText } from '../../components/group-text.ts'
import { LoadFailure } from '../../components/load-failure.tsx'
import { SavedPrompts } from './prompts.tsx'
import {
  DEFAULT_SETTINGS,
  EFFORTS,
  type EffortChoice,
  OTHERS_MAX,
  type PlaygroundSettings,
  parseTools,
  TEMPERATURE,
  TOP_P,
} from './settings.ts'
import type { Choices } from './use-choices.ts'

interface Props {
  userId: number
  settings: PlaygroundSettings
  choices: Choices
  onChange: (settings: PlaygroundSettings) => void
}

interface FieldsProps {
  settings: PlaygroundSettings
  set: (change: Partial<PlaygroundSettings>) => void
}

export function SettingsPanel({ userId, settings, choices: { models, groups }, onChange }: Props) {
  const { t } = useTranslation()
  const set = (change: Partial<PlaygroundSettings>) => onChange({ ...settings, ...change })
  const problem = models.error ?? groups.error
  return (
    <Form layout="vertical">
      {problem && (
        <LoadFailure
          title={t('playground.modelsFailed')}
          error={problem}
          onRetry={() => void Promise.all([models.refetch(), groups.refetch()])}
        />
      )}
      <ModelFields settings={settings} models={models} groups={groups} set={set} />
      <SamplingFields settings={settings} set={set} />
      <OutputFields settings={settings} set={set} />
      <Form.Item label={t('playground.systemPrompt')}>
        <Input.TextArea
          aria-label={t('playground.systemPrompt')}
          placeholder={t('playground.systemPromptPlaceholder')}
          autoSize={{ minRows: 3, maxRows: 10 }}
          value={settings.systemPrompt}
          onChange={(systemPrompt) => set({ systemPrompt })}
        />
        <SavedPrompts userId={userId} text={settings.systemPrompt} onChoose={(systemPrompt) => set({ systemPrompt })} />
      </Form.Item>
      <Button long onClick={() => onChange(DEFAULT_SETTINGS)}>
        {t('playground.resetSettings')}
      </Button>
    </Form>
  )
}

function ModelFields({ settings, models, groups, set }: FieldsProps & Choices) {
  const { t } = useTranslation()
  const options = (groups.data ?? []).map(({ name, desc, ratio }) => ({
    value: name,
    label: t('playground.groupOption', { name, desc: groupText(t, desc), ratio }),
  }))
  return (
    <>
      <Field label={t('field.model')}>
        <Select
          showSearch
          loading={models.isLoading}
          value={settings.model}
          onChange={(model: string) => set({ model })}
          options={models.data ?? []}
        />
      </Field>
      <Field label={t('field.group')}>
        <Select
          loading={groups.isLoading}
          value={settings.group}
          onChange={(group: string) => set({ group })}
          options={options.length > 0 ? options : [{ value: '', label: t('playground.ownGroup') }]}
        />
      </Field>
      <Field label={t('playground.others')} extra={t('playground.othersHint', { max: OTHERS_MAX })}>
        <TagSelect
          allowClear
          value={[...settings.others]}
          onChange={(others: string[]) => set({ others: others.slice(0, OTHERS_MAX) })}
          options={(models.data ?? []).filter((model) => model !== settings.model)}
        />
      </Field>
    </>
  )
}

const SLIDERS = [
  { name: 'temperature', range: TEMPERATURE, first: 0 },
  { name: 'topP', range: TOP_P, first: 1 },
] as const

function SamplingFields({ settings, set }: FieldsProps) {
  const { t } = useTranslation()
  return (
    <>
      {SLIDERS.map(({ name, range, first }) => {
        const label = t(`playground.${name}`)
        const value = settings[name]
        return (
          <Form.Item key={name} label={label} extra={value !== null && t(`playground.${name}Hint`, { value })}>
            <OptionalSlider
              label={label}
              range={range}
              first={first}
              value={value}
              onChange={(next) => set({ [name]: next })}
            />
          </Form.Item>
        )
      })}
      <Field label={t('playground.maxTokens')} extra={t('playground.maxTokensHint')}>
        <InputNumber
          min={0}
          max={10_000_000}
          precision={0}
          value={settings.maxTokens}
          onChange={(maxTokens: number | undefined) => set({ maxTokens: maxTokens ?? 0 })}
        />
      </Field>
    </>
  )
}

/** Fields for the reasoning effort, the JSON format and the tools. */
function OutputFields({ settings, set }: FieldsProps) {
  const { t } = useTranslation()
  return (
    <>
      <Field label={t('log.row.reasoningEffort')}>
        <Select
          value={settings.effort}
          onChange={(effort: EffortChoice) => set({ effort })}
          options={EFFORTS.map((value) => ({ value, label: t(`playground.efforts.${value || 'unset'}`) }))}
        />
      </Field>
      <Field label={t('playground.json')} extra={t('playground.jsonHint')}>
        <Switch size="small" checked={settings.json} onChange={(json) => set({ json })} />
      </Field>
      <Field
        label={t('playground.tools')}
        extra={t('playground.toolsHint')}
        {...(parseTools(settings.tools) === undefined && {
          validateStatus: 'error' as const,
          help: <span role="alert">{t('playground.badTools')}</span>,
        })}
      >
        <Input.TextArea
          autoSize={{ minRows: 1, maxRows: 10 }}
          placeholder='[{"type": "function", "function": {…}}]'
          value={settings.tools}
          onChange={(tools) => set({ tools })}
        />
      </Field>
    </>
  )
}

interface OptionalSliderProps {
  label: string
  range: { min: number; max: number; step: number }
  /** The value after the user switches the slider on. */
  first: number
  value: number | null
  onChange: (value: number | null) => void
}

/** A slider for a number that can be unset (`null`). An unset number is not sent, which differs from 0. */
function OptionalSlider({ label, range, first, value, onChange }: OptionalSliderProps) {
  const { t } = useTranslation()
  return (
    <div className="optional-slider">
      <Switch
        size="small"
        checked={value !== null}
        aria-label={t('playground.setValue', { name: label })}
        onChange={(on) => onChange(on ? first : null)}
      />
      {value === null ? (
        <span className="muted">{t('playground.efforts.unset')}</span>
      ) : (
        <Slider {...range} value={value} onChange={(next) => typeof next === 'number' && onChange(next)} />
      )}
    </div>
  )
}
