import Input from '@arco-design/web-react/es/Input'
import Switch from '@arco-design/web-react/es/Switch'
import { useTranslation } from 'react-i18next'
import type { ChannelKind } from '../../../api/channel-form.ts'
import { Field } from '../../../components/form/field.tsx'
import type { ChannelForm } from './channel-form.ts'
import { SETTING_EXAMPLE, STATUS_EXAMPLE } from './examples.ts'
import { JsonField } from './json-field.tsx'

/** What most channels do without. */
export function AdvancedFields({ kind, start }: { kind: ChannelKind | undefined; start: ChannelForm }) {
  const { t } = useTranslation()
  return (
    <>
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
