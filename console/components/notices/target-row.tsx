import Button from '@arco-design/web-react/es/Button'
import Message from '@arco-design/web-react/es/Message'
import Switch from '@arco-design/web-react/es/Switch'
import { IconEdit, IconSend } from '@arco-design/web-react/icon'
import { useTranslation } from 'react-i18next'
import { deleteNoticeTarget, type NoticeTarget, testNoticeTarget, updateNoticeTarget } from '../../api/notices.ts'
import { DeleteButton } from '../data-table/row-menu.tsx'
import { useAction, useConfirmedDelete } from '../saving.ts'
import { StatusTag } from '../status-tag.tsx'

interface Props {
  target: NoticeTarget
  editable: boolean
  onEdit: () => void
}

export function TargetRow({ target, editable, onEdit }: Props) {
  const { t } = useTranslation()
  const { name, kind, address, events } = target
  const remove = useConfirmedDelete({ run: deleteNoticeTarget, stale: ['notice'] })
  const switchAction = useAction({ run: updateNoticeTarget, stale: ['notice'] })
  const testAction = useAction({
    run: testNoticeTarget,
    stale: ['notice'],
    after({ state, status, error }) {
      if (state === 'delivered') Message.success(t('notify.tested'))
      else Message.error(t('notify.untested', { reason: status > 0 ? `${status} ${error}` : error }))
    },
  })
  return (
    <li>
      <div className="notice-what">
        <div>
          {name} <StatusTag text={t(`notify.kind.${kind}`)} color="gray" />
        </div>
        <div className="notice-more">
          {[address, ...events.map((event) => t(`notify.event.${event}`))].filter(Boolean).join(' · ')}
        </div>
      </div>
      <Switch
        size="small"
        aria-label={t('notify.switchOf', { name })}
        checked={target.enabled}
        loading={switchAction.isPending}
        onChange={(enabled) => switchAction.mutate({ id: target.id, enabled })}
      />
      <Button
        type="text"
        icon={<IconSend />}
        aria-label={t('notify.testOf', { name })}
        loading={testAction.isPending}
        onClick={() => testAction.mutate(target)}
      />
      <Button type="text" icon={<IconEdit />} aria-label={t('notify.editOf', { name })} onClick={onEdit} />
      {editable && (
        <DeleteButton
          label={t('notify.removeOf', { name })}
          onClick={() => remove(t('notify.removeQuestion'), target)}
        />
      )}
    </li>
  )
}
