import Input from '@arco-design/web-react/es/Input'
import Switch from '@arco-design/web-react/es/Switch'
import { useTranslation } from 'react-i18next'
import type { ChannelType } from '../../../api/channel-form.ts'
import { Field } from '../../../components/form/field.tsx'
import type { ChannelFormValues } from './channel-form.ts'
import { MAPPING_EXAMPLE, SETTING_EXAMPLE, STATUS_EXAMPLE } from './examples.ts'
import { JsonField } from './json-field.tsx'
import { RoutingFields } from './routing-fields.tsx'

interface Props {
  kind: ChannelType | undefined
  start: ChannelFormValues
  groups: readonly string[]
}

/** Fields that most channels do not need. */
export function AdvancedFields({ kind, start, groups }: Props) {
  const { t } = useTranslation()
  return (
    <>
      <RoutingFields groups={groups} />
      <JsonField
        field="model_mapping"
        label={t('channelForm.mapping')}
        wrong={t('channelForm.badMapping')}
        hint={t('channelForm.mappingHint')}
        example={MAPPING_EXAMPLE}
        texts
      />
      <Field label={t('channelForm.testModel')} field="test_model" extra={t('channelForm.testModelHint')}>
        <Input maxLength={255} autoComplete="off" />
      </Field>
      <Field
        label={t('channelForm.autoBan')}
        field="auto_ban"
        triggerPropName="checked"
        extra={t('channelForm.autoBanHint')}
      >
        <Switch />
      </Field>
      {(kind?.organization || start.openai_organization) && (
        <Field label={t('channelForm.organization')} field="openai_organization">
          <Input placeholder="org-…" maxLength={255} autoComplete="off" />
        </Field>
      )}
      <JsonField
        field="status_code_mapping"
        label={t('channelForm.statusMapping')}
        wrong={t('channelForm.badStatusMapping')}
        hint={t('channelForm.statusMappingHint')}
        example={STATUS_EXAMPLE}
        texts
      />
      <JsonField
        field="setting"
        label={t('channelForm.setting')}
        wrong={t('channelForm.badSetting')}
        hint={t('channelForm.settingHint')}
        example={SETTING_EXAMPLE}
      />
    </>
  )
}
