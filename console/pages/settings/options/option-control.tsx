import Input, { type TextAreaProps } from '@arco-design/web-react/es/Input'
import InputNumber from '@arco-design/web-react/es/InputNumber'
import Select from '@arco-design/web-react/es/Select'
import Switch from '@arco-design/web-react/es/Switch'
import Tabs from '@arco-design/web-react/es/Tabs'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { PasswordInput } from '../../../components/form/password-input.tsx'
import { QuotaInput } from '../../../components/form/quota-input.tsx'
import { TagInput } from '../../../components/form/tag-input.tsx'
import { JsonEditor, JsonLoading } from '../../../components/json-editor.tsx'
import { WhenNear } from '../../../components/when-near.tsx'
import type { OptionField } from './area.ts'
import { OptionPreview } from './option-preview.tsx'
import { splitTags } from './option-texts.ts'

interface Props {
  field: OptionField
  label: string
  text: string
  wrong: boolean
  /** Ids of the elements with the field's hint and error. */
  describedBy: string | undefined
  onChange: (text: string) => void
  onBlur: () => void
}

const STEPS = ['hour', 'day', 'week'] as const

/** The control for an option. The value is text, because the server stores all values as text. */
export function OptionControl({ field, label, text, wrong, describedBy, onChange, onBlur }: Props) {
  const { t } = useTranslation()
  const aria = { 'aria-label': label, 'aria-invalid': wrong, ...(describedBy && { 'aria-describedby': describedBy }) }
  const marked = { ...aria, ...(wrong && { status: 'error' as const }) }
  const shared = { ...marked, onBlur }
  const placeholder = field.placeholder ?? ''
  const setNumber = (number: number | undefined) => onChange(number === undefined ? '' : String(number))
  switch (field.kind) {
    case 'switch':
      return <Switch {...aria} checked={text === 'true'} onChange={(on) => onChange(String(on))} />
    case 'integer':
    case 'number':
      return (
        <InputNumber
          {...shared}
          value={text}
          onChange={setNumber}
          min={field.min ?? 0}
          max={Number.MAX_SAFE_INTEGER}
          {...(field.kind === 'integer' && { precision: 0 })}
        />
      )
    case 'quota':
      return <QuotaInput {...shared} onChange={setNumber} {...(text !== '' && { value: Number(text) })} />
    case 'secret':
      return (
        <PasswordInput
          {...shared}
          value={text}
          onChange={onChange}
          placeholder={t('option.secret')}
          autoComplete="new-password"
        />
      )
    case 'steps':
      return (
        <Select
          {...marked}
          value={text}
          onChange={onChange}
          options={STEPS.map((step) => ({ value: step, label: t(`option.choice.${step}`) }))}
        />
      )
    case 'tags':
      return (
        <TagInput
          {...marked}
          value={splitTags(text)}
          onChange={(tags: string[]) => onChange([...new Set(tags)].join(','))}
          validate={(input) => splitTags(input).length > 0}
          tokenSeparators={[',', ' ', '\n']}
          saveOnBlur
          allowClear
        />
      )
    case 'lines':
      return <Input.TextArea {...shared} value={text} onChange={onChange} autoSize={{ minRows: 4, maxRows: 14 }} />
    case 'json':
      return (
        // A page has many of these editors, so each editor is rendered only when it is near the visible area.
        <WhenNear fallback={<JsonLoading />}>
          <JsonEditor {...aria} value={text} onChange={onChange} onBlur={onBlur} error={wrong} />
        </WhenNear>
      )
    case 'content':
      return (
        <ContentEditor
          fieldProps={marked}
          text={text}
          onChange={onChange}
          preview={field.preview && <OptionPreview kind={field.preview} text={text} title={label} />}
          placeholder={placeholder}
        />
      )
    case 'text':
    case 'address':
      return <Input {...shared} value={text} onChange={onChange} placeholder={placeholder} />
  }
}

interface ContentEditorProps {
  /** Properties for the label and state of the field. */
  fieldProps: Pick<TextAreaProps, 'aria-label' | 'aria-invalid' | 'aria-describedby' | 'status'>
  text: string
  placeholder: string
  onChange: (text: string) => void
  preview: ReactNode
}

/** An input for a long text, with a preview in a second tab. */
function ContentEditor({ fieldProps, text, placeholder, onChange, preview }: ContentEditorProps) {
  const { t } = useTranslation()
  return (
    <Tabs type="rounded" size="small" destroyOnHide>
      <Tabs.TabPane key="edit" title={t('action.edit')}>
        <Input.TextArea
          {...fieldProps}
          value={text}
          onChange={onChange}
          placeholder={placeholder}
          autoSize={{ minRows: 6, maxRows: 20 }}
        />
      </Tabs.TabPane>
      <Tabs.TabPane key="preview" title={t('option.preview')}>
        <div className="option-preview">
          {text.trim() === '' ? <p className="panel-note">{t('option.previewEmpty')}</p> : preview}
        </div>
      </Tabs.TabPane>
    </Tabs>
  )
}
