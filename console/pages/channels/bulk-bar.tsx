import Button from '@arco-design/web-react/es/Button'
import Input from '@arco-design/web-react/es/Input'
import Menu from '@arco-design/web-react/es/Menu'
import Message from '@arco-design/web-react/es/Message'
import { IconDelete, IconMore } from '@arco-design/web-react/icon'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CHANNEL_STATUS, deleteChannels, setStatusOfChannels, tagChannels } from '../../api/channels.ts'
import { Field } from '../../components/form/field.tsx'
import { FormDialog } from '../../components/form/form-dialog.tsx'
import { useAction, useConfirmedDelete } from '../../components/saving.ts'
import { rejectInput } from '../../components/show-error.ts'
import { DropdownMenu } from '../../layout/dropdown-menu.tsx'

interface Props {
  /** The selected channels. */
  ids: number[]
  onDone: () => void
}

/** Buttons for actions on the selected channels. */
export function BulkBar({ ids, onDone }: Props) {
  const { t } = useTranslation()
  const [tagging, setTagging] = useState(false)
  const stale = ['channel']
  const remove = useConfirmedDelete({
    run: deleteChannels,
    done: (count) => t('channel.deleteSelectedDone', { count }),
    stale,
    after: onDone,
  })
  const statusAction = useAction({
    run: setStatusOfChannels,
    done: (count) => t('channel.statusSelectedDone', { count }),
    stale,
  })

  /** Returns a click handler that runs the action, or shows the message `missing` if no channel is selected. */
  const ifSelected = (missing: string, action: () => void) => () =>
    ids.length === 0 ? void Message.error(missing) : action()

  const removeSelected = () => remove(t('channel.deleteSelectedQuestion', { count: ids.length }), ids)

  return (
    <fieldset className="bulk-bar">
      <legend className="bulk-legend">{t('channel.bulk')}</legend>
      <span aria-live="polite">{t('table.selected', { count: ids.length })}</span>
      <Button size="small" onClick={ifSelected(t('channel.selectToTag'), () => setTagging(true))}>
        {t('channel.tagSelected')}
      </Button>
      {(['enabled', 'disabled'] as const).map((state) => (
        <Button
          key={state}
          size="small"
          loading={statusAction.isPending}
          onClick={ifSelected(t('channel.selectToChange'), () =>
            statusAction.mutate({ ids, status: CHANNEL_STATUS[state] }),
          )}
        >
          {t(state === 'enabled' ? 'channel.enableSelected' : 'channel.disableSelected')}
        </Button>
      ))}
      <DropdownMenu button={<Button size="small" icon={<IconMore />} aria-label={t('channel.bulkMore')} />}>
        <Menu.Item key="delete" className="danger" onClick={ifSelected(t('channel.selectToDelete'), removeSelected)}>
          <IconDelete /> {t('channel.deleteSelected')}
        </Menu.Item>
      </DropdownMenu>
      <TagDialog ids={ids} visible={tagging} onClose={() => setTagging(false)} />
    </fieldset>
  )
}

interface TagDialogProps {
  ids: number[]
  visible: boolean
  onClose: () => void
}

interface Tag {
  tag: string
}

const EMPTY: Tag = { tag: '' }

/** Sets the tag of the selected channels. */
function TagDialog({ ids, visible, onClose }: TagDialogProps) {
  const { t } = useTranslation()
  const tagAction = useAction({
    run: tagChannels,
    done: (count) => t('channel.tagSelectedDone', { count }),
    stale: ['channel'],
  })

  async function submit({ tag }: Tag) {
    const name = tag.trim()
    return name === '' ? rejectInput(t('channel.tagEmpty')) : tagAction.mutateAsync({ ids, tag: name })
  }

  return (
    <FormDialog<Tag>
      title={t('channel.tagSelected')}
      visible={visible}
      initialValues={EMPTY}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="panel-note dialog-note">{t('table.selected', { count: ids.length })}</p>
      <Field label={t('channel.tag')} field="tag">
        <Input autoFocus maxLength={255} autoComplete="off" placeholder={t('channel.tagSelectedHint')} />
      </Field>
    </FormDialog>
  )
}
