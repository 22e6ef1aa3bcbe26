import Alert from '@arco-design/web-react/es/Alert'
import Input from '@arco-design/web-react/es/Input'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { countTagged, type TagEdit, updateTag } from '../../../api/channel-form.ts'
import { PRIORITY_MIN, WEIGHT_MIN, WHOLE_MAX } from '../../../api/channels.ts'
import { Field } from '../../../components/form/field.tsx'
import { FormDrawer } from '../../../components/form/form-drawer.tsx'
import { TagSelect } from '../../../components/form/tag-select.tsx'
import { useAction } from '../../../components/saving.ts'
import { rejectInput } from '../../../components/show-error.ts'
import { MAPPING_EXAMPLE } from '../drawer/examples.ts'
import { JsonField } from '../drawer/json-field.tsx'
import { ModelsInput } from '../drawer/models-field.tsx'
import { useChannelChoices } from '../drawer/use-channel-form.ts'
import '../drawer/drawer.css'

interface Props {
  /** The tag whose channels to edit. Undefined closes the drawer. */
  tag: string | undefined
  onClose: () => void
}

/** A form that changes fields on all channels of a tag. */
export function TagDrawer({ tag, onClose }: Props) {
  const { t } = useTranslation()
  const choices = useChannelChoices()
  const count = useQuery({
    queryKey: ['channel', 'tagged', tag],
    queryFn: ({ signal }) => countTagged(tag ?? '', signal),
    enabled: tag !== undefined,
  })
  const saveAction = useAction({ run: updateTag, done: t('channelForm.tagDrawer.updated'), stale: ['channel'] })

  async function submit(values: TagForm) {
    if (count.data === 0) rejectInput(t('channelForm.tagDrawer.gone'))
    const edit = tagEditOf(tag ?? '', values)
    return edit ? saveAction.mutateAsync(edit) : rejectInput(t('channelForm.tagDrawer.unchanged'), 'warning')
  }

  const numberRule = (problemOf: (text: string) => NumberProblem | undefined) => [
    {
      validator: (text: string | undefined, callback: (error?: string) => void) => {
        const problem = problemOf(text ?? '')
        callback(problem && t(`channelForm.tagDrawer.${problem}`, { min: PRIORITY_MIN, max: WHOLE_MAX }))
      },
    },
  ]

  return (
    <FormDrawer<TagForm>
      title={t('channelForm.tagDrawer.title', { tag: tag ?? '' })}
      visible={tag !== undefined}
      initialValues={tag === undefined ? undefined : tagFormOf(tag)}
      onSubmit={submit}
      onClose={onClose}
      place="edit_tag"
      width={600}
    >
      <Alert
        type={count.data === 0 ? 'warning' : 'info'}
        className="channel-form-notice"
        content={
          count.data === 0
            ? t('channelForm.tagDrawer.gone')
            : t('channelForm.tagDrawer.notice', { count: count.data ?? '…' })
        }
      />
      <Field label={t('channelForm.tagDrawer.newTag')} field="new_tag" extra={t('channelForm.tagDrawer.newTagHint')}>
        <Input maxLength={255} autoFocus autoComplete="off" />
      </Field>
      <Field label={t('channel.models')} field="models">
        <ModelsInput builtIn={choices.builtInModels} placeholder={t('channelForm.tagDrawer.kept')} />
      </Field>
      <Field label={t('channel.group')} field="groups">
        <TagSelect
          allowCreate
          allowClear
          showSearch
          options={choices.groups}
          placeholder={t('channelForm.tagDrawer.kept')}
        />
      </Field>
      <JsonField
        field="model_mapping"
        label={t('channelForm.mapping')}
        wrong={t('channelForm.badMapping')}
        hint={t('channelForm.mappingHint')}
        example={MAPPING_EXAMPLE}
        texts
      />
      <div className="channel-form-pair">
        <Field label={t('channel.priority')} field="priority" rules={numberRule(priorityProblem)}>
          <Input inputMode="numeric" placeholder={t('channelForm.tagDrawer.kept')} />
        </Field>
        <Field label={t('channel.weight')} field="weight" rules={numberRule(weightProblem)}>
          <Input inputMode="numeric" placeholder={t('channelForm.tagDrawer.kept')} />
        </Field>
      </div>
    </FormDrawer>
  )
}

/** New values for all channels of a tag. Empty fields change nothing, but an empty `new_tag` changes the tag. */
interface TagForm {
  new_tag: string
  models: string[]
  groups: string[]
  model_mapping: string
  /** The text of the number field. */
  priority: string
  /** The text of the number field. */
  weight: string
}

function tagFormOf(tag: string): TagForm {
  return { new_tag: tag, models: [], groups: [], model_mapping: '', priority: '', weight: '' }
}

/** Returns the changes in the form; undefined if the form has no changes. */
function tagEditOf(tag: string, form: TagForm): TagEdit | undefined {
  const new_tag = form.new_tag.trim()
  const changes: Omit<TagEdit, 'tag'> = {
    ...(new_tag !== tag && { new_tag }),
    ...(form.models.length > 0 && { models: form.models.join(',') }),
    ...(form.groups.length > 0 && { groups: form.groups.join(',') }),
    ...(form.model_mapping.trim() && { model_mapping: form.model_mapping.trim() }),
    ...(form.priority.trim() && { priority: Number(form.priority) }),
    ...(form.weight.trim() && { weight: Number(form.weight) }),
  }
  return Object.keys(changes).length > 0 ? { tag, ...changes } : undefined
}

type NumberProblem = 'badPriority' | 'badWeight' | 'priorityRange' | 'weightRange'

/** Returns the problem of the priority input; undefined if the input is valid or empty. */
function priorityProblem(text: string): NumberProblem | undefined {
  if (!/^\s*(-?\d+)?\s*$/.test(text)) return 'badPriority'
  return isWithin(text, PRIORITY_MIN) ? undefined : 'priorityRange'
}

function weightProblem(text: string): NumberProblem | undefined {
  if (!/^\s*\d*\s*$/.test(text)) return 'badWeight'
  return isWithin(text, WEIGHT_MIN) ? undefined : 'weightRange'
}

const isWithin = (text: string, min: number) => text.trim() === '' || (Number(text) >= min && Number(text) <= WHOLE_MAX)
