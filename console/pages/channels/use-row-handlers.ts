import Message from '@arco-design/web-react/es/Message'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
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
import { useAction, useConfirmedDelete } from '../../components/saving.ts'
import { showError } from '../../components/show-error.ts'
import { useStableHandlers } from '../../components/stable-handlers.ts'
import type { ChannelRowHandlers } from './columns.tsx'
import { type ChannelTableRow, isTagRow } from './rows.ts'
import type { useChannels } from './use-channels.ts'

type NavigationHandlers = Pick<ChannelRowHandlers, 'onEdit' | 'onEditTag' | 'onTag' | 'onHealth'>

/**
 * Returns the handlers for the actions of a channel or tag. The actions report their results. `navigation` has handlers
 * that open other views.
 */
export function useRowHandlers(
  change: ReturnType<typeof useChannels>['change'],
  navigation: NavigationHandlers,
): ChannelRowHandlers {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const queryClient = useQueryClient()
  const stale = ['channel']
  const [testing, test] = useOncePerChannel(async ({ id, name }: Channel, model?: string) => {
    try {
      const seconds = await testChannel({ id, model })
      Message.success(t('channel.testDone', { name, time: seconds.toFixed(2) }))
    } catch (error) {
      showError(t, error, (reason) => t('channel.testFailed', { name, reason }))
    }
    await queryClient.invalidateQueries({ queryKey: stale })
  })
  const [queryingBalance, queryBalance] = useOncePerChannel(async (channel: Channel) => {
    try {
      await updateBalance(channel)
      Message.success(t('channel.balanceDone', { name: channel.name }))
    } catch (error) {
      showError(t, error)
    }
    await queryClient.invalidateQueries({ queryKey: stale })
  })
  const remove = useConfirmedDelete({ run: deleteChannel, stale })
  const statusAction = useAction({ run: setTagStatus, done: t('action.done'), stale })
  const numberAction = useAction({ run: changeTag, done: t('action.done'), stale })

  const [, copy] = useOncePerChannel(async ({ id, name }: Channel) => {
    try {
      await copyChannel({ id, name: name + t('channel.copySuffix') })
      Message.success(t('channel.copyDone'))
    } catch (error) {
      if (isMissingChannel(error)) Message.error(t('channel.copyMissing'))
      else showError(t, error, (reason) => t('channel.copyFailed', { reason }))
    }
    // Do not wait for the list, so that the channel can be copied again while the list reloads.
    void queryClient.invalidateQueries({ queryKey: stale })
  })

  const stable = useStableHandlers({
    ...navigation,
    onTest: (channel: Channel, model?: string) => void test(channel, model),
    onBalance: (channel: Channel) => void queryBalance(channel),
    onCopy: (channel: Channel) => void copy(channel),
    onToggle: ({ id, status }: Channel) => {
      const { enabled, disabled } = CHANNEL_STATUS
      change.click({ id, status: status === enabled ? disabled : enabled })
    },
    onDelete: (channel: Channel) => remove(t('channel.deleteQuestion', { name: channel.name }), channel),
    onEnableAll: (tag: string) => statusAction.mutate({ tag, status: CHANNEL_STATUS.enabled }),
    onDisableAll: (tag: string) =>
      confirm({
        title: t('channel.disableAllQuestion', { tag }),
        content: t('channel.disableAllHint'),
        onOk: () => statusAction.mutateAsync({ tag, status: CHANNEL_STATUS.disabled }),
      }),
    onNumber: (row: ChannelTableRow, field: 'priority' | 'weight', value: number) => {
      if (!isTagRow(row)) return change.mutate({ id: row.id, [field]: value })
      const { tag } = row
      confirm({
        title: t(`channel.${field}OfTagQuestion`, { tag, value }),
        content: '',
        onOk: () => numberAction.mutateAsync({ tag, [field]: value }),
      })
    },
  } satisfies Omit<ChannelRowHandlers, 'testing' | 'queryingBalance'>)
  return useMemo(() => ({ ...stable, testing, queryingBalance }), [stable, testing, queryingBalance])
}

/**
 * Prevents a slow action from running twice at the same time for one channel. The action may run for several channels.
 * Returns the ids of the channels for which the action is running, and the function that starts the action.
 */
function useOncePerChannel<Rest extends unknown[]>(run: (channel: Channel, ...rest: Rest) => Promise<void>) {
  const [busy, setBusy] = useState<ReadonlySet<number>>(new Set())
  // The user can still click controls of a busy channel, such as menu entries.
  const runningIds = useRef(new Set<number>())
  async function start(channel: Channel, ...rest: Rest) {
    if (runningIds.current.has(channel.id)) return
    runningIds.current.add(channel.id)
    setBusy(new Set(runningIds.current))
    await run(channel, ...rest)
    runningIds.current.delete(channel.id)
    setBusy(new Set(runningIds.current))
  }
  return [busy, start] as const
}
