import AutoComplete from '@arco-design/web-react/es/AutoComplete'
import Form from '@arco-design/web-react/es/Form'
import Input from '@arco-design/web-react/es/Input'
import InputNumber from '@arco-design/web-react/es/InputNumber'
import Select from '@arco-design/web-react/es/Select'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import {
  EACH,
  LIMIT_ACTIONS,
  LIMIT_MEASURES,
  LIMIT_SUBJECTS,
  type Limit,
  type NewLimit,
  removeLimit,
  setLimit,
  WINDOW_PERIODS,
} from '../../api/limits.ts'
import { Field } from '../../components/form/field.tsx'
import { FormDrawer } from '../../components/form/form-drawer.tsx'
import { QuotaInput } from '../../components/form/quota-input.tsx'
import { useAction } from '../../components/saving.ts'

const WAIT_MAX_S = 300

interface Props {
  /** The limit to edit or `'new'`; undefined closes the drawer. */
  opened: Limit | 'new' | undefined
  onClose: () => void
}

export function LimitDrawer({ opened, onClose }: Props) {
  const { t } = useTranslation()
  const [form] = Form.useForm<LimitForm>()
  const measure = Form.useWatch('measure', form)
  const action = Form.useWatch('action', form)
  const zones = useMemo(timeZones, [])
  const storedLimit = opened === 'new' ? undefined : opened
  const saveAction = useAction({
    async run(values: LimitForm) {
      const [savedLimit] = await setLimit(limitOfForm(values))
      // Subject, measure and window identify a limit. If one has changed, the saved limit is new: delete the old one.
      if (storedLimit && savedLimit && savedLimit.id !== storedLimit.id) await removeLimit(storedLimit)
    },
    done: t('action.done'),
    stale: ['limit'],
  })
  const required = [{ required: true, message: t('field.missing') }]
  const options = <Name extends string>(names: readonly Name[], text: (name: Name) => string) =>
    names.map((value) => ({ value, label: text(value) }))
  return (
    <FormDrawer<LimitForm>
      title={t(storedLimit ? 'limit.edit' : 'limit.add')}
      visible={opened !== undefined}
      form={form}
      initialValues={storedLimit ? limitFormOf(storedLimit) : NEW_LIMIT_FORM}
      onSubmit={(values) => saveAction.mutateAsync({ ...NEW_LIMIT_FORM, ...values })}
      onClose={onClose}
    >
      <Field label={t('limit.subject')} field="subject" rules={required}>
        <Select options={options(LIMIT_SUBJECTS, (name) => t(`limit.kind.${name}`))} />
      </Field>
      <Field label={t('limit.subjectId')} field="subject_id" rules={required} extra={t('limit.subjectIdHint')}>
        <Input maxLength={255} />
      </Field>
      <Field label={t('limit.measureField')} field="measure" rules={required}>
        <Select options={options(LIMIT_MEASURES, (name) => t(`limit.measure.${name}`))} />
      </Field>
      <Field label={t('limit.amount')} field="amount" rules={required}>
        {measure === 'quota' ? <QuotaInput min={1} /> : <InputNumber min={1} precision={0} />}
      </Field>
      {measure !== 'concurrent' && (
        <>
          <Field label={t('limit.window')} field="period" rules={required}>
            <Select options={options(WINDOW_PERIODS, (name) => t(`limit.per.${name}`))} />
          </Field>
          <Field label={t('limit.zone')} field="time_zone" extra={t('limit.zoneHint')}>
            <AutoComplete data={zones} filterOption allowClear />
          </Field>
        </>
      )}
      <Field label={t('limit.action')} field="action" rules={required}>
        <Select options={options(LIMIT_ACTIONS, (name) => t(`limit.act.${name}`))} />
      </Field>
      {action === 'queue' && (
        <Field label={t('limit.wait')} field="wait_seconds" rules={required}>
          <InputNumber min={1} max={WAIT_MAX_S} precision={0} />
        </Field>
      )}
    </FormDrawer>
  )
}

interface LimitForm {
  subject: NewLimit['subject']
  subject_id: string
  measure: NewLimit['measure']
  period: Exclude<NewLimit['period'], 'none'>
  amount: number
  time_zone: string
  action: NonNullable<NewLimit['action']>
  wait_seconds: number
}

const NEW_LIMIT_FORM: LimitForm = {
  subject: 'user',
  subject_id: EACH,
  measure: 'requests',
  period: 'minute',
  amount: 60,
  time_zone: '',
  action: 'reject',
  wait_seconds: 5,
}

function limitFormOf(limit: Limit): LimitForm {
  const { subject, subject_id, measure, period, amount, time_zone, action, wait_seconds } = limit
  return {
    subject,
    subject_id,
    measure,
    period: period === 'none' ? NEW_LIMIT_FORM.period : period,
    amount,
    time_zone,
    action,
    wait_seconds: wait_seconds || NEW_LIMIT_FORM.wait_seconds,
  }
}

function limitOfForm(form: LimitForm): NewLimit {
  const { subject, subject_id, measure, amount, action } = form
  const isConcurrent = measure === 'concurrent'
  const zone = form.time_zone.trim()
  return {
    subject,
    subject_id: subject_id.trim(),
    measure,
    period: isConcurrent ? 'none' : form.period,
    amount,
    action,
    ...(!isConcurrent && zone !== '' && { time_zone: zone }),
    ...(action === 'queue' && { wait_seconds: form.wait_seconds }),
  }
}

/** Returns the names of IANA time zones, as suggestions. */
const timeZones = (): string[] => ['UTC', ...Intl.supportedValuesOf('timeZone')]
