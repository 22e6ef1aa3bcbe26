import Input from '@arco-design/web-react/es/Input'
import InputNumber from '@arco-design/web-react/es/InputNumber'
import Switch from '@arco-design/web-react/es/Switch'
import { useTranslation } from 'react-i18next'
import type { ChannelType } from '../../../api/channel-form.ts'
import { PRIORITY_MIN, WEIGHT_MIN, WHOLE_MAX } from '../../../api/channels.ts'
import { Field } from '../../../components/form/field.tsx'
import { TagSelect } from '../../../components/form/tag-select.tsx'
import type { ChannelFormValues } from './channel-form.ts'
import { MAPPING_EXAMPLE, SETTING_EXAMPLE, STATUS_EXAMPLE } from './examples.ts'
import { JsonField } from './json-field.tsx'

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

/** Fields for the groups that may use the channel, its priority, weight and tag. */
function RoutingFields({ groups }: { groups: readonly string[] }) {
  const { t } = useTranslation()
  return (
    <>
      <Field
        label={t('channel.group')}
        field="groups"
        rules={[{ required: true, type: 'array', message: t('channelForm.groupsMissing') }]}
        extra={t('channelForm.groupsHint')}
      >
        <TagSelect allowCreate allowClear showSearch options={[...groups]} />
      </Field>
      <div className="channel-form-pair">
        <Field label={t('channel.priority')} field="priority" extra={t('channelForm.priorityHint')}>
          <InputNumber min={PRIORITY_MIN} max={WHOLE_MAX} precision={0} placeholder="0" />
        </Field>
        <Field label={t('channel.weight')} field="weight" extra={t('channelForm.weightHint')}>
          <InputNumber min={WEIGHT_MIN} max={WHOLE_MAX} precision={0} placeholder="0" />
        </Field>
      </div>
      <Field label={t('channel.tag')} field="tag" extra={t('channelForm.tagHint')}>
        <Input maxLength={255} />
      </Field>
    </>
  )
}
