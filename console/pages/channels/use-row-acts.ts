import Message from '@arco-design/web-react/es/Message'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  CHANNEL_STATUS,
  type Channel,
  changeTag,
  copyChannel,
  deleteChannel,
  isMissingChannel,
  setTagStatus,
  testChannel,
  updateBalance,
} from '../../api/channels.ts'
import { useConfirm } from '../../components/confirm.tsx'
import { useAct } from '../../components/saving.ts'
import { tellFailure } from '../../components/tell-failure.ts'
import type { RowActs } from './columns.tsx'
import { isTag } from './rows.ts'
import type { useChannels } from './use-channels.ts'

type Ways = Pick<RowActs, 'onEdit' | 'onEditTag' | 'onTag' | 'onHealth'>

/** What is done to one channel, or to one tag, and how it says that it is done. */
export function useRowActs(change: ReturnType<typeof useChannels>['change'], ways: Ways): RowActs {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const queryClient = useQueryClient()
  const stale = ['channel']
  const [testing, test] = useOneEach(async ({ id, name }: Channel, model?: string) => {
    try {
      const seconds = await testChannel({ id, model })
      Message.success(t('channel.testDone', { name, time: seconds.toFixed(2) }))
    } catch (error) {
      tellFailure(t, error, (reason) => t('channel.testFailed', { name, reason }))
    }
    await queryClient.invalidateQueries({ queryKey: stale })
  })
  const [asking, askBalance] = useOneEach(async (channel: Channel) => {
    try {
      await updateBalance(channel)
      Message.success(t('channel.balanceDone', { name: channel.name }))
    } catch (error) {
      tellFailure(t, error)
    }
    await queryClient.invalidateQueries({ queryKey: stale })
  })
  const deleting = useAct({ run: deleteChannel, done: t('action.done'), stale })
  const turning = useAct({ run: setTagStatus, done: t('action.done'), stale })
  const numbering = useAct({ run: changeTag, done: t('action.done'), stale })

  const [, copy] = useOneEach(async ({ id, name }: Channel) => {
    try {
      await copyChannel({ id, name: name + t('channel.copySuffix') })
      Message.success(t('channel.copyDone'))
    } catch (error) {
      if (isMissingChannel(error)) Message.error(t('channel.copyMissing'))
      else tellFailure(t, error, (reason) => t('channel.copyFailed', { reason }))
    }
    // Not waited for: it may be copied again while the list comes.
    void queryClient.invalidateQueries({ queryKey: stale })
  })

  return {
    ...ways,
    testing,
    asking,
    onTest: (channel, model) => void test(channel, model),
    onBalance: (channel) => void askBalance(channel),
    onCopy: (channel) => void copy(channel),
    onToggle: ({ id, status }) => {
      const { enabled, disabled } = CHANNEL_STATUS
      change.click({ id, status: status === enabled ? disabled : enabled })
    },
    onDelete: (channel) =>
      confirm({
        title: t('channel.deleteQuestion', { name: channel.name }),
        okText: t('action.delete'),
        danger: true,
        onOk: () => deleting.mutateAsync(channel),
      }),
    onEnableAll: (tag) => turning.mutate({ tag, status: CHANNEL_STATUS.enabled }),
    onDisableAll: (tag) =>
      confirm({
        title: t('channel.disableAllQuestion', { tag }),
        content: t('channel.disableAllHint'),
        onOk: () => turning.mutateAsync({ tag, status: CHANNEL_STATUS.disabled }),
      }),
    onNumber: (row, field, value) => {
      if (!isTag(row)) {
        change.mutate({ id: row.id, [field]: value })
        return
      }
      const { tag } = row
      confirm({
        title: t(`channel.${field}OfTagQuestion`, { tag, value }),
        content: '',
        onOk: () => numbering.mutateAsync({ tag, [field]: value }),
      })
    },
  }
}

/** Something slow that is done to one channel once at a time, and to several at the same time: which ones, and what starts it. */
function useOneEach<Rest extends unknown[]>(run: (channel: Channel, ...rest: Rest) => Promise<void>) {
  const [busy, setBusy] = useState<ReadonlySet<number>>(new Set())
  // What is drawn as busy may still be clicked: the entry of a menu is.
  const underWay = useRef(new Set<number>())
  async function start(channel: Channel, ...rest: Rest) {
    if (underWay.current.has(channel.id)) return
    underWay.current.add(channel.id)
    setBusy(new Set(underWay.current))
    await run(channel, ...rest)
    underWay.current.delete(channel.id)
    setBusy(new Set(underWay.current))
  }
  return [busy, start] as const
}
