import Button from '@arco-design/web-react/es/Button'
import Menu from '@arco-design/web-react/es/Menu'
import Message from '@arco-design/web-react/es/Message'
import { IconDelete, IconMore, IconThunderbolt, IconTool } from '@arco-design/web-react/icon'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { deleteDisabledChannels, repairChannels, testAllChannels, updateAllBalances } from '../../api/channels.ts'
import { type ConfirmQuestion, useConfirm } from '../../components/confirm.tsx'
import { useAction } from '../../components/saving.ts'
import { DropdownMenu } from '../../layout/dropdown-menu.tsx'

interface Operation {
  key: string
  text: string
  icon: ReactNode
  danger?: boolean
  busy?: boolean
  question: ConfirmQuestion
}

/** A menu of actions on all channels. Each action asks for confirmation. */
export function Operations({ onStarted }: { onStarted: () => void }) {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const stale = ['channel']
  const testAction = useAction({ run: testAllChannels, done: t('channel.testAllStarted'), after: onStarted })
  const balancesAction = useAction({ run: updateAllBalances, done: t('channel.updateBalancesDone'), stale })
  const deleteAction = useAction({
    run: deleteDisabledChannels,
    done: (count) => t('channel.deleteDisabledDone', { count }),
    stale,
  })
  const repairAction = useAction({ run: repairChannels, done: (result) => t('channel.fixDone', result), stale })

  const operations: Operation[] = [
    {
      key: 'test',
      text: t('channel.testAll'),
      icon: <IconThunderbolt />,
      question: {
        title: t('channel.testAllQuestion'),
        content: t('channel.testAllHint'),
        onOk: () => testAction.mutateAsync(),
      },
    },
    {
      key: 'balances',
      text: t('channel.updateBalances'),
      icon: <IconThunderbolt />,
      busy: balancesAction.isPending,
      question: {
        title: t('channel.updateBalancesQuestion'),
        content: t('channel.updateBalancesHint'),
        // The dialog does not wait for this call, which queries every provider and takes long.
        onOk: () => {
          Message.info(t('channel.updateBalancesStarted'))
          balancesAction.mutate()
        },
      },
    },
    {
      key: 'fix',
      text: t('channel.fix'),
      icon: <IconTool />,
      question: {
        title: t('channel.fixQuestion'),
        content: t('channel.fixHint'),
        onOk: () => repairAction.mutateAsync(),
      },
    },
    {
      key: 'delete-disabled',
      text: t('channel.deleteDisabled'),
      icon: <IconDelete />,
      danger: true,
      question: {
        title: t('channel.deleteDisabledQuestion'),
        okText: t('action.delete'),
        danger: true,
        onOk: () => deleteAction.mutateAsync(),
      },
    },
  ]

  return (
    <DropdownMenu button={<Button icon={<IconMore />} aria-label={t('channel.operations')} />}>
      {operations.map(({ key, text, icon, danger, busy = false, question }) => (
        <Menu.Item key={key} className={danger ? 'danger' : ''} disabled={busy} onClick={() => confirm(question)}>
          {icon} {text}
        </Menu.Item>
      ))}
    </DropdownMenu>
  )
}
