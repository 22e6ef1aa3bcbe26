import Input from '@arco-design/web-react/es/Input'
import { useTranslation } from 'react-i18next'
import type { ChannelType } from '../../../api/channel-form.ts'
import { Field } from '../../../components/form/field.tsx'
import type { ChannelFormValues } from './channel-form.ts'

interface Props {
  kind: ChannelType | undefined
  /** The initial form values. A field with an initial value is shown even if the type does not use it. */
  start: ChannelFormValues
}

/** Fields for the provider's base URL and for other settings of the type. */
export function ProviderFields({ kind, start }: Props) {
  const { t } = useTranslation()
  return (
    <>
      <Field
        label={kind?.base_url_name || t('channelForm.baseUrl')}
        field="base_url"
        required={kind?.base_url_required ?? false}
        rules={textRules(
          kind?.base_url_required,
          t('channelForm.baseUrlMissing', { name: kind?.base_url_name || t('channelForm.baseUrl') }),
        )}
        extra={addressHint()}
      >
        <Input placeholder={kind?.base_url || kind?.base_url_example || ''} inputMode="url" autoComplete="off" />
      </Field>
      {(kind?.other_name || start.other) && (
        <Field
          label={kind?.other_name || t('channelForm.other')}
          field="other"
          required={kind?.other_required ?? false}
          extra={kind?.other}
          rules={textRules(kind?.other_required, t('channelForm.otherMissing', { name: kind?.other_name ?? '' }))}
        >
          <Input.TextArea
            autoSize={{ minRows: 1, maxRows: 8 }}
            placeholder={kind?.other_default ?? ''}
            spellCheck={false}
          />
        </Field>
      )}
    </>
  )

  function addressHint(): string {
    if (!kind) return ''
    if (kind.complete_url) return t('channelForm.completeUrlHint', { model: '{model}' })
    if (kind.base_url_required) return t('channelForm.baseUrlRequiredHint', { example: kind.base_url_example })
    return kind.base_url ? t('channelForm.baseUrlHint', { address: kind.base_url }) : t('channelForm.byRegionHint')
  }
}

/** Returns form rules that report `problem` if the field is required but blank. */
const textRules = (isRequired = false, problem: string) => [
  {
    validator: (text: string | undefined, callback: (problem?: string) => void) =>
      callback(isRequired && !text?.trim() ? problem : undefined),
  },
]
