import Input from '@arco-design/web-react/es/Input'
import InputNumber from '@arco-design/web-react/es/InputNumber'
import { useTranslation } from 'react-i18next'
import { PRIORITY_MIN, WEIGHT_MIN, WHOLE_MAX } from '../../../api/channels.ts'
import { Field } from '../../../components/form/field.tsx'
import { TagSelect } from '../../../components/form/tag-select.tsx'

/** Fields for the groups that may use the channel, its priority, weight and tag. */
export function RoutingFields({ groups }: { groups: readonly string[] }) {
  const { t } = useTranslation()
  return (
    <>
      <Field
        label={t('channelForm.groups')}
        field="groups"
        rules={[{ required: true, type: 'array', message: t('channelForm.groupsMissing') }]}
        extra={t('channelForm.groupsHint')}
      >
        <TagSelect allowCreate allowClear showSearch options={[...groups]} />
      </Field>
      <div className="channel-form-pair">
        <Field label={t('channelForm.priority')} field="priority" extra={t('channelForm.priorityHint')}>
          <InputNumber min={PRIORITY_MIN} max={WHOLE_MAX} precision={0} placeholder="0" />
        </Field>
        <Field label={t('channelForm.weight')} field="weight" extra={t('channelForm.weightHint')}>
          <InputNumber min={WEIGHT_MIN} max={WHOLE_MAX} precision={0} placeholder="0" />
        </Field>
      </div>
      <Field label={t('channelForm.tag')} field="tag" extra={t('channelForm.tagHint')}>
        <Input maxLength={255} />
      </Field>
    </>
  )
}
