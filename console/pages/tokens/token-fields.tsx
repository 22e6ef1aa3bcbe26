import AutoComplete from '@arco-design/web-react/es/AutoComplete'
import Button from '@arco-design/web-react/es/Button'
import DatePicker from '@arco-design/web-react/es/DatePicker'
import Form, { type FormInstance } from '@arco-design/web-react/es/Form'
import Input from '@arco-design/web-react/es/Input'
import Select from '@arco-design/web-react/es/Select'
import Switch from '@arco-design/web-react/es/Switch'
import { IconCalendar } from '@arco-design/web-react/icon'
import { useTranslation } from 'react-i18next'
import { useUsableGroups, useUsableModels } from '../../api/models.ts'
import { Field } from '../../components/form/field.tsx'
import { QuotaInput } from '../../components/form/quota-input.tsx'
import { GroupRatio } from '../../components/group-ratio.tsx'
import { groupText } from '../../components/group-text.ts'
import {
  COUNT_MAX,
  COUNT_PRESETS,
  EXPIRY_SHORTCUTS,
  expiryAfter,
  expiryProblem,
  nameLengthMax,
  parseExpiry,
  TOKEN_QUOTA_PRESETS,
  type TokenFormValues,
  tokenCountProblem,
  tokenNameFits,
} from './token-form.ts'

const SHORTCUTS = Object.entries(EXPIRY_SHORTCUTS) as [keyof typeof EXPIRY_SHORTCUTS, number][]

interface Props {
  form: FormInstance<TokenFormValues>
  isNew: boolean
  /** Number of tokens that were already created during this opening of the drawer. */
  createdCount: number
  /** The expiry time of the edited token, as text. This time is valid even if it is in the past. */
  initialExpiry: string | undefined
}

export function TokenFields({ form, isNew, createdCount, initialExpiry }: Props) {
  const { t } = useTranslation()
  const unlimited = Form.useWatch('unlimited_quota', form) === true
  const models = useUsableModels()
  const groups = useUsableGroups()

  function checkExpiry(text: string | undefined, callback: (problem?: string) => void) {
    const problem = expiryProblem(text ?? '', { initialText: initialExpiry, nowMs: Date.now() })
    callback(problem && t(`token.${problem}`))
  }

  function checkName(name: string | undefined, callback: (problem?: string) => void) {
    const count = isNew ? Number(form.getFieldValue('count') ?? 1) + createdCount : 1
    if (tokenNameFits(name ?? '', count)) return callback()
    callback(t(count > 1 ? 'token.nameLongForMany' : 'token.nameLong', { max: nameLengthMax(count) }))
  }

  function checkCount(count: number | undefined, callback: (problem?: string) => void) {
    const problem = tokenCountProblem(count)
    callback(problem && t(`token.${problem}`, { max: COUNT_MAX }))
  }

  return (
    <>
      <Field
        label={t('field.name')}
        field="name"
        rules={[{ required: true, match: /\S/, message: t('field.nameMissing') }, { validator: checkName }]}
      >
        <Input placeholder={t('token.nameHint')} autoFocus />
      </Field>
      <Field
        label={t('field.expires')}
        field="expires"
        validateTrigger={[]}
        rules={[{ validator: checkExpiry }]}
        extra={
          <span className="quota-presets">
            {SHORTCUTS.map(([name, seconds]) => (
              <Button
                key={name}
                size="mini"
                onClick={() => form.setFieldValue('expires', expiryAfter(seconds, Date.now()))}
              >
                {t(`token.expiry.${name}`)}
              </Button>
            ))}
          </span>
        }
      >
        <ExpiryInput />
      </Field>
      <Field label={t('token.unlimited')} field="unlimited_quota" triggerPropName="checked">
        <Switch />
      </Field>
      <Field
        label={t('field.quota')}
        field="remain_quota"
        disabled={unlimited}
        rules={[{ required: true, message: t('field.quotaMissing') }]}
      >
        <QuotaInput presets={TOKEN_QUOTA_PRESETS} />
      </Field>
      {isNew && (
        <Field
          label={t('token.count')}
          field="count"
          normalize={(value: string | number) => Number(value)}
          formatter={(value: number | undefined) => String(value ?? '')}
          extra={t('token.countHint')}
          rules={[{ validator: checkCount }]}
        >
          <AutoComplete data={COUNT_PRESETS.map(String)} />
        </Field>
      )}
      <Field label={t('token.models')} field="models" extra={t('token.modelsHint')}>
        <Select mode="multiple" allowClear options={models.data ?? []} placeholder={t('token.allModels')} />
      </Field>
      <Field label={t('token.ips')} field="allow_ips" extra={t('token.ipsHint')}>
        <Input.TextArea autoSize={{ minRows: 2, maxRows: 8 }} placeholder={t('token.ipsPlaceholder')} />
      </Field>
      <Field
        label={t('token.storeResponses')}
        field="store_responses"
        triggerPropName="checked"
        extra={t('token.storeResponsesHint')}
      >
        <Switch />
      </Field>
      <Field label={t('token.group')} field="group">
        <Select allowClear placeholder={t('token.ownGroup')}>
          {(groups.data ?? []).map(({ name, desc, ratio }) => (
            <Select.Option key={name} value={name}>
              {desc === '' ? name : t('pricing.groupOption', { name, desc: groupText(t, desc) })}{' '}
              <GroupRatio ratio={ratio} />
            </Select.Option>
          ))}
        </Select>
      </Field>
    </>
  )
}

interface ExpiryInputProps {
  id?: string
  value?: string
  onChange?: (text: string) => void
  'aria-label'?: string
}

/** An input for a time to type or pick. Unlike Arco's date field, keeps invalid text for correction. */
function ExpiryInput({ value = '', onChange, ...inputProps }: ExpiryInputProps) {
  const { t } = useTranslation()
  const pickerValue = value !== '' && parseExpiry(value) !== undefined ? { value } : {}
  return (
    <Input
      {...inputProps}
      value={value}
      onChange={(text) => onChange?.(text)}
      placeholder={t('token.expiryHint')}
      allowClear
      suffix={
        <DatePicker
          {...pickerValue}
          showTime
          format="YYYY-MM-DD HH:mm:ss"
          position="br"
          onChange={(text) => onChange?.(text ?? '')}
          triggerElement={<Button size="mini" type="text" icon={<IconCalendar />} aria-label={t('token.pickExpiry')} />}
        />
      }
    />
  )
}
