import Collapse from '@arco-design/web-react/es/Collapse'
import Form from '@arco-design/web-react/es/Form'
import Input from '@arco-design/web-react/es/Input'
import Message from '@arco-design/web-react/es/Message'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { createChannel, fetchModelsAt, fetchModelsOf, updateChannel } from '../../../api/channel-form.ts'
import { ApiError } from '../../../api/client.ts'
import { Field } from '../../../components/form/field.tsx'
import { FormDrawer } from '../../../components/form/form-drawer.tsx'
import { useLast, useOpenings } from '../../../components/form/openings.ts'
import { useAct } from '../../../components/saving.ts'
import { AdvancedFields } from './advanced-fields.tsx'
import { type ChannelForm, creationOf, editOf, formOf, modelsFor, NEW_CHANNEL_FORM } from './channel-form.ts'
import { KeyFields } from './key-field.tsx'
import { ModelsInput } from './models-field.tsx'
import { ProviderFields } from './provider-fields.tsx'
import { ProviderTiles } from './provider-tiles.tsx'
import { TestAndFetch } from './test-and-fetch.tsx'
import { TypeField } from './type-field.tsx'
import { type ChannelTarget, useChoices, useEditedChannel, useKinds } from './use-channel-form.ts'
import './drawer.css'

interface Props {
  /** Undefined closes the drawer. */
  target: ChannelTarget | undefined
  onClose: () => void
}

const ADVANCED = 'advanced'
const WIDTH_PX = 680

/**
 * A form for a new or existing channel, with field labels in the provider's terms. A new channel starts with the choice of
 * a provider.
 */
export function ChannelDrawer(props: Props) {
  return <OneChannel key={useOpenings(props.target !== undefined)} {...props} />
}

/** The form state of one opening; the next opening starts with a new form. */
function OneChannel({ target, onClose }: Props) {
  const { t } = useTranslation()
  const [form] = Form.useForm<ChannelForm>()
  const shown = useLast(target)
  const isNew = shown?.mode === 'new'
  const kinds = useKinds()
  const choices = useChoices()
  const edited = useEditedChannel(target)
  const [open, setOpen] = useState<string[]>()
  const type = Form.useWatch('type', form) as number | undefined
  const channel = isNew ? undefined : edited.data
  const start = isNew ? NEW_CHANNEL_FORM : channel && formOf(channel)
  const kindOf = (number: number | undefined) => kinds.data?.find((kind) => kind.type === number)
  const kind = kindOf(type)
  const choosing = isNew && type === undefined

  /** Second step: fill in the provider's defaults, except in fields that the user has changed. */
  function choose(chosen: number) {
    form.setFieldValue('type', chosen)
    if (!isNew) return
    const { models = [], name = '' } = form.getFieldsValue()
    const next = kindOf(chosen)
    form.setFieldValue('models', [...modelsFor(next, { models, previous: kind })])
    if (name.trim() === '' || name === kind?.name) form.setFieldValue('name', next?.name ?? '')
  }

  const saving = useAct({
    run: async (values: Partial<ChannelForm>) => {
      if (!start) return
      const whole = { ...start, ...values }
      const { type } = whole
      if (type === undefined || !Array.isArray(whole.models)) throw new Error(t('form.submittedTwice'))
      if (!channel) await createChannel(creationOf({ ...whole, type }))
      else await updateChannel(editOf(channel.id, start, whole) ?? { id: channel.id })
    },
    done: t(isNew ? 'channelForm.created' : 'channelForm.updated'),
    stale: ['channel'],
  })

  async function submit(values: Partial<ChannelForm>) {
    if (channel && start && !editOf(channel.id, start, { ...start, ...values })) {
      Message.info(t('action.nothingChanged'))
      throw new Error('nothing changed')
    }
    return saving.mutateAsync(values).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'CHANNEL_KEY_AGAIN') {
        form.setFields({ key: { error: { message: t('channelForm.keyAgain') } } })
        form.scrollToField('key')
      }
      throw error
    })
  }

  function fetchModels(): Promise<string[]> {
    const { key = '', base_url = '' } = form.getFieldsValue()
    const stored = channel && !key.trim() && type === channel.type && base_url.trim() === channel.base_url
    if (stored) return fetchModelsOf(channel.id)
    return fetchModelsAt({ type: type ?? 0, key: key.trim(), base_url: base_url.trim() })
  }

  return (
    <FormDrawer<ChannelForm>
      title={t(isNew ? 'channelForm.create' : 'channelForm.update')}
      visible={target !== undefined}
      form={form}
      initialValues={kinds.data && start}
      loading={edited.error ? edited : kinds}
      onSubmit={submit}
      onInvalid={(fields) => fields.some((field) => ADVANCED_FIELDS.has(field)) && setOpen([ADVANCED])}
      onClose={onClose}
      place="path"
      width={WIDTH_PX}
    >
      {choosing ? (
        <ProviderTiles kinds={kinds.data ?? []} onChoose={choose} />
      ) : (
        <h2 className="channel-form-section">{t('channelForm.section.basic')}</h2>
      )}
      <TypeField kinds={kinds.data ?? []} current={channel?.type} onChoose={choose} />
      {!choosing && (
        <>
          <Field
            label={t('channelForm.name')}
            field="name"
            rules={[{ required: true, match: /\S/, message: t('channelForm.nameMissing') }]}
          >
            <Input placeholder={t('channelForm.nameHint')} maxLength={255} autoComplete="off" />
          </Field>
          <KeyFields form={form} kind={kind} channel={channel} />
          {start && <ProviderFields kind={kind} start={start} />}
          {isNew && kind?.model_list && (
            <TestAndFetch onFetch={fetchModels} onModels={(models) => form.setFieldValue('models', models)} />
          )}

          <h2 className="channel-form-section">{t('channelForm.section.models')}</h2>
          <Field
            label={t('channelForm.models')}
            field="models"
            rules={[{ required: true, type: 'array', message: t('channelForm.modelsMissing') }]}
            extra={kind && !kind.model_list && t('channelForm.fetchUnsupported')}
          >
            <ModelsInput
              related={kind?.models ?? []}
              builtIn={choices.builtInModels}
              onFetch={kind?.model_list ? fetchModels : undefined}
            />
          </Field>

          <Collapse
            activeKey={open ?? (isNew ? [] : [ADVANCED])}
            onChange={(_, keys) => setOpen(keys)}
            bordered={false}
            lazyload={false}
          >
            <Collapse.Item name={ADVANCED} header={t('channelForm.section.advanced')}>
              {start && <AdvancedFields kind={kind} start={start} groups={choices.groups} />}
            </Collapse.Item>
          </Collapse>
        </>
      )}
    </FormDrawer>
  )
}

/** Fields in the collapsible section. */
const ADVANCED_FIELDS: ReadonlySet<string> = new Set([
  'model_mapping',
  'test_model',
  'groups',
  'priority',
  'weight',
  'tag',
  'status_code_mapping',
  'setting',
])
