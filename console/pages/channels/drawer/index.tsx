import Collapse from '@arco-design/web-react/es/Collapse'
import Form, { type FormInstance } from '@arco-design/web-react/es/Form'
import Input from '@arco-design/web-react/es/Input'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type ChannelType,
  createChannel,
  type EditedChannel,
  fetchModelsAt,
  fetchModelsOf,
  updateChannel,
} from '../../../api/channel-form.ts'
import { ApiError } from '../../../api/client.ts'
import { Field } from '../../../components/form/field.tsx'
import { FormDrawer } from '../../../components/form/form-drawer.tsx'
import { useLast, useOpenings } from '../../../components/form/openings.ts'
import { useAction } from '../../../components/saving.ts'
import { rejectInput } from '../../../components/show-error.ts'
import { AdvancedFields } from './advanced-fields.tsx'
import {
  type ChannelFormValues,
  channelFormOf,
  creationOf,
  editOf,
  modelsFor,
  NEW_CHANNEL_FORM,
} from './channel-form.ts'
import { TestAndFetch } from './fetch-models.tsx'
import { ChannelKeyFields } from './key-field.tsx'
import { ModelsInput } from './models-field.tsx'
import { ProviderFields } from './provider-fields.tsx'
import { ProviderTiles, TypeField } from './type-field.tsx'
import { type ChannelTarget, useChannelChoices, useEditedChannel, useKinds } from './use-channel-form.ts'
import './drawer.css'

interface Props {
  /** The channel to create or edit. Undefined closes the drawer. */
  target: ChannelTarget | undefined
  onClose: () => void
}

const ADVANCED = 'advanced'
const WIDTH_PX = 680

/**
 * A form for a new or existing channel. The labels use the provider's terms. For a new channel, the user first chooses
 * the provider.
 */
export function ChannelDrawer(props: Props) {
  return <OneChannel key={useOpenings(props.target !== undefined)} {...props} />
}

/** The form of one opening. Each opening has a new form. */
function OneChannel({ target, onClose }: Props) {
  const { t } = useTranslation()
  const [form] = Form.useForm<ChannelFormValues>()
  const lastTarget = useLast(target)
  const isNew = lastTarget?.mode === 'new'
  const kinds = useKinds()
  const choices = useChannelChoices()
  const editedChannel = useEditedChannel(target)
  const [open, setOpen] = useState<string[]>()
  const type = Form.useWatch('type', form) as number | undefined
  const channel = isNew ? undefined : editedChannel.data
  const start = isNew ? NEW_CHANNEL_FORM : channel && channelFormOf(channel)
  const kindOf = (number: number | undefined) => kinds.data?.find((kind) => kind.type === number)
  const kind = kindOf(type)
  const isChoosingType = isNew && type === undefined

  /** Sets the type. For a new channel, also fills in the provider's defaults, except in fields that the user edited. */
  function choose(type: number) {
    form.setFieldValue('type', type)
    if (!isNew) return
    const { models = [], name = '' } = form.getFieldsValue()
    const next = kindOf(type)
    form.setFieldValue('models', [...modelsFor(next, { models, previous: kind })])
    if (name.trim() === '' || name === kind?.name) form.setFieldValue('name', next?.name ?? '')
  }

  const saveAction = useAction({
    run: async (values: Partial<ChannelFormValues>) => {
      if (!start) return
      const merged = { ...start, ...values }
      const { type } = merged
      if (type === undefined || !Array.isArray(merged.models)) throw new Error(t('form.submittedTwice'))
      if (!channel) await createChannel(creationOf({ ...merged, type }))
      else await updateChannel(editOf(channel.id, start, merged) ?? { id: channel.id })
    },
    done: t(isNew ? 'channelForm.created' : 'channelForm.updated'),
    stale: ['channel'],
  })

  async function submit(values: Partial<ChannelFormValues>) {
    const isUnchanged = channel && start && !editOf(channel.id, start, { ...start, ...values })
    if (isUnchanged) rejectInput(t('action.nothingChanged'), 'info')
    return saveAction.mutateAsync(values).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'CHANNEL_KEY_AGAIN') {
        form.setFields({ key: { error: { message: t('channelForm.keyAgain') } } })
        form.scrollToField('key')
      }
      throw error
    })
  }

  return (
    <FormDrawer<ChannelFormValues>
      title={t(isNew ? 'channelForm.create' : 'channelForm.update')}
      visible={target !== undefined}
      form={form}
      initialValues={kinds.data && start}
      loading={editedChannel.error ? editedChannel : kinds}
      onSubmit={submit}
      onInvalid={(fields) => fields.some((field) => ADVANCED_FIELDS.has(field)) && setOpen([ADVANCED])}
      onClose={onClose}
      place="path"
      width={WIDTH_PX}
    >
      {isChoosingType ? (
        <ProviderTiles kinds={kinds.data ?? []} onChoose={choose} />
      ) : (
        <h2 className="channel-form-section">{t('channelForm.section.basic')}</h2>
      )}
      <TypeField kinds={kinds.data ?? []} current={channel?.type} onChoose={choose} />
      {!isChoosingType && (
        <ChannelFields
          {...{ form, kind, choices, isNew, channel, start, open }}
          onOpen={setOpen}
          onFetch={() => fetchModels({ ...form.getFieldsValue(), type }, channel)}
        />
      )}
    </FormDrawer>
  )
}

/** Loads the upstream's models. With an unchanged upstream and no entered key, the server uses the stored key. */
function fetchModels(
  { type, key = '', base_url = '' }: Partial<ChannelFormValues>,
  channel: EditedChannel | undefined,
): Promise<string[]> {
  const isUnchanged = channel && !key.trim() && type === channel.type && base_url.trim() === channel.base_url
  if (isUnchanged) return fetchModelsOf(channel.id)
  return fetchModelsAt({ type: type ?? 0, key: key.trim(), base_url: base_url.trim() })
}

interface FieldsProps {
  form: FormInstance<ChannelFormValues>
  kind: ChannelType | undefined
  choices: ReturnType<typeof useChannelChoices>
  isNew: boolean
  /** The stored channel; undefined for a new channel. */
  channel: EditedChannel | undefined
  start: ChannelFormValues | undefined
  /** Names of the open sections; undefined until the user opens or closes a section. */
  open: string[] | undefined
  onOpen: (sections: string[]) => void
  onFetch: () => Promise<string[]>
}

/** All fields except the provider. */
function ChannelFields({ form, kind, choices, isNew, channel, start, open, onOpen, onFetch }: FieldsProps) {
  const { t } = useTranslation()
  return (
    <>
      <Field
        label={t('field.name')}
        field="name"
        rules={[{ required: true, match: /\S/, message: t('channelForm.nameMissing') }]}
      >
        <Input placeholder={t('channelForm.nameHint')} maxLength={255} autoComplete="off" />
      </Field>
      <ChannelKeyFields form={form} kind={kind} channel={channel} />
      {start && <ProviderFields kind={kind} start={start} />}
      {isNew && kind?.model_list && (
        <TestAndFetch onFetch={onFetch} onChoose={(models) => form.setFieldValue('models', [...models])} />
      )}

      <h2 className="channel-form-section">{t('channelForm.section.models')}</h2>
      <Field
        label={t('channel.models')}
        field="models"
        rules={[{ required: true, type: 'array', message: t('channelForm.modelsMissing') }]}
        extra={kind && !kind.model_list && t('channelForm.fetchUnsupported')}
      >
        <ModelsInput
          related={kind?.models ?? []}
          builtIn={choices.builtInModels}
          onFetch={kind?.model_list ? onFetch : undefined}
        />
      </Field>

      <Collapse
        activeKey={open ?? (isNew ? [] : [ADVANCED])}
        onChange={(_, keys) => onOpen(keys)}
        bordered={false}
        lazyload={false}
      >
        <Collapse.Item name={ADVANCED} header={t('channelForm.section.advanced')}>
          {start && <AdvancedFields kind={kind} start={start} groups={choices.groups} />}
        </Collapse.Item>
      </Collapse>
    </>
  )
}

/** Names of the fields in the section that the user can collapse. */
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
