import Form from '@arco-design/web-react/es/Form'
import Input from '@arco-design/web-react/es/Input'
import Message from '@arco-design/web-react/es/Message'
import { useTranslation } from 'react-i18next'
import { tagChannels } from '../../api/channels.ts'
import { Field } from '../../components/form/field.tsx'
import { FormDialog } from '../../components/form/form-dialog.tsx'
import { useAction } from '../../components/saving.ts'

interface Props {
  ids: number[]
  visible: boolean
  onClose: () => void
}

interface Tag {
  tag: string
}

const EMPTY: Tag = { tag: '' }

/** Sets the tag of the selected channels. */
export function TagDialog({ ids, visible, onClose }: Props) {
  const { t } = useTranslation()
  const [form] = Form.useForm<Tag>()
  const tagAction = useAction({
    run: tagChannels,
    done: (count) => t('channel.tagSelectedDone', { count }),
    stale: ['channel'],
  })

  async function submit({ tag }: Tag) {
    const name = tag.trim()
    if (name !== '') return tagAction.mutateAsync({ ids, tag: name })
    const problem = t('channel.tagEmpty')
    Message.error(problem)
    throw new Error(problem) // keeps the dialog open
  }

  return (
    <FormDialog<Tag>
      title={t('channel.tagSelected')}
      visible={visible}
      form={form}
      initialValues={EMPTY}
      onSubmit={submit}
      onClose={onClose}
      submitText={t('action.confirm')}
    >
      <p className="panel-note dialog-note">{t('table.selected', { count: ids.length })}</p>
      <Field label={t('channel.tag')} field="tag">
        <Input autoFocus maxLength={255} autoComplete="off" placeholder={t('channel.tagSelectedHint')} />
      </Field>
    </FormDialog>
  )
}
