import Input from '@arco-design/web-react/es/Input'
import Message from '@arco-design/web-react/es/Message'
import Modal from '@arco-design/web-react/es/Modal'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { tagChannels } from '../../api/channels.ts'
import { useAct } from '../../components/saving.ts'

interface Props {
  ids: number[]
  visible: boolean
  onClose: () => void
}

/** Gives the selected channels a tag. */
export function TagDialog({ ids, visible, onClose }: Props) {
  const { t } = useTranslation()
  const [tag, setTag] = useState('')
  const openings = useRef(0)
  const tagging = useAct({
    run: ({ ids, tag }: { ids: number[]; tag: string; opening: number }) => tagChannels({ ids, tag }),
    done: (count) => t('channel.tagSelectedDone', { count }),
    stale: ['channel'],
    // It may have been closed meanwhile, and be open for another tag.
    after: (_, { opening }) => opening === openings.current && close(),
  })

  function close() {
    openings.current++
    setTag('')
    onClose()
  }

  function save() {
    if (tagging.isPending) return
    const name = tag.trim()
    if (name === '') Message.error(t('channel.tagEmpty'))
    else tagging.mutate({ ids, tag: name, opening: openings.current })
  }

  return (
    <Modal
      title={<span>{t('channel.tagSelected')}</span>}
      visible={visible}
      onOk={save}
      onCancel={close}
      confirmLoading={tagging.isPending}
      okText={t('action.confirm')}
      cancelText={t('action.cancel')}
      focusLock
      autoFocus={false}
      unmountOnExit
    >
      <p className="panel-note">{t('table.selected', { count: ids.length })}</p>
      <Input
        autoFocus
        value={tag}
        maxLength={255}
        onChange={setTag}
        onPressEnter={save}
        placeholder={t('channel.tagSelectedHint')}
        aria-label={t('channel.tagSelectedHint')}
      />
    </Modal>
  )
}
