import { useCallback } from 'react'
import { CHANNEL_STATUS, type Channel } from '../../../core/channels/channel.ts'
import type { OneChannelHealth } from '../../../core/channels/health/schema.ts'
import { CHANNEL_COLUMNS } from '../../columns/channel.ts'
import { EVENT_COLUMNS, TROUBLE_COLUMNS, troublesOf } from '../../columns/channel-health.ts'
import type { Column } from '../../output/column.ts'
import { sanitizeName } from '../../output/sanitize.ts'
import { bindKey, type KeyBinding } from '../bindings.ts'
import { ofChannel, useRequestKeys } from '../drill.tsx'
import { ChannelForm } from '../forms/channel.tsx'
import { type ListQuery, ListScreen, type RowControl } from '../list-screen.tsx'
import { BLANK, Sheet, type SheetLine, useRecordLines } from '../sheet.tsx'
import { useStatusKeys } from '../status-keys.ts'
import { useUi } from '../ui-context.ts'
import { useLoaded } from '../use-loaded.ts'

/** Screen with the upstream accounts, sorted by priority. */
export function ChannelsScreen() {
  const { toolkit, actor, t, intervals } = useUi()
  const bindings = useChannelBindings()
  const load = useCallback(
    async ({ keyword, ...paging }: ListQuery) =>
      toolkit.channels.list(actor, { ...paging, ...(keyword && { keyword }) }),
    [toolkit, actor],
  )
  return (
    <ListScreen
      title={t('ui.channelsTitle')}
      columns={CHANNEL_COLUMNS}
      load={load}
      keyOf={({ id }) => id}
      empty={t('ui.noChannelsYet')}
      searched={t('ui.partOfAName')}
      everyMs={intervals.slow}
      markable
      bindings={bindings}
    />
  )
}

/** Returns a function that returns the key bindings for the channel at the cursor, or for the marked channels. */
function useChannelBindings() {
  const { t } = useUi()
  const drill = useRequestKeys()
  const checkKeys = useChannelChecks()
  const changeKeys = useChannelChanges()

  return (channel: Channel | undefined, list: RowControl<Channel>): KeyBinding[] => {
    const add = bindKey('a', t('ui.add'), () => list.show(<ChannelForm list={list} />))
    if (!channel) return [add]
    const { id, name } = channel
    const open = () => {
      const back = () =>
        list.show(
          <ChannelSheet channel={channel} bindings={drill(ofChannel(channel), list, back)} onClose={list.close} />,
        )
      back()
    }
    return [
      bindKey('enter', t('ui.open'), open),
      ...drill(ofChannel(channel), list),
      ...changeKeys(list),
      ...checkKeys(channel, list),
      add,
      bindKey('e', t('ui.edit'), () => list.show(<ChannelForm list={list} channel={channel} />)),
      bindKey('y', t('ui.copyId'), () => list.copy(t('ui.theIdOfChannel', { name }), String(id)), { quiet: true }),
    ]
  }
}

/** Returns a function that returns the keys that test a channel and query its balance. */
function useChannelChecks() {
  const { toolkit, actor, t } = useUi()
  return ({ id, name }: Channel, list: RowControl<Channel>): KeyBinding[] => [
    bindKey('t', t('ui.test'), () =>
      list.run(t('ui.testingChannel', { name }), async () => {
        const { success, message, time, model } = await toolkit.channelChecks.test(actor, id)
        if (!success) return { text: t('ui.channelFailed', { name, message }), tone: 'bad' }
        return t('ui.channelAnsweredWithInS', { name, model, time: time.toFixed(2) })
      }),
    ),
    bindKey(
      'b',
      t('ui.queryTheBalance'),
      () =>
        list.run(t('ui.queryingTheBalanceOfChannel', { name }), async () => {
          const balance = await toolkit.channelChecks.updateBalance(actor, id)
          return t('ui.balanceOfChannel', { name, balance })
        }),
      { quiet: true },
    ),
  ]
}

/** Returns a function that returns the keys that change the chosen channels: enable or disable, tag, delete. */
function useChannelChanges() {
  const { toolkit, actor, t } = useUi()
  const statusKeys = useStatusKeys<Channel>({
    isEnabled: ({ status }) => status === CHANNEL_STATUS.enabled,
    setEnabled: async ({ id }, isEnabled) =>
      toolkit.channels.setStatus(actor, id, isEnabled ? CHANNEL_STATUS.enabled : CHANNEL_STATUS.disabled),
    remove: async ({ id }) => toolkit.channels.delete(actor, id),
    texts: {
      updating: [({ name }) => t('ui.updatingChannel', { name }), (count) => t('ui.updatingChannels', { count })],
      enabled: [({ name }) => t('ui.enabledChannel', { name }), (count) => t('ui.enabledChannels', { count })],
      disabled: [({ name }) => t('ui.disabledChannel', { name }), (count) => t('ui.disabledChannels', { count })],
      deleting: [({ name }) => t('ui.deletingChannel', { name }), (count) => t('ui.deletingChannels', { count })],
      deleted: [({ name }) => t('ui.deletedChannel', { name }), (count) => t('ui.deletedChannels', { count })],
      confirmDelete: [
        ({ name }) => t('ui.permanentlyDeleteChannelAndItsKey', { name }),
        (count) => t('ui.permanentlyDeleteChannelsAndTheirKeys', { count }),
      ],
    },
  })
  return (list: RowControl<Channel>): KeyBinding[] => {
    const { chosen } = list
    const setTag = (tag: string) =>
      list.each({
        doing: t('ui.taggingChannels', { count: chosen.length }),
        changeOne: async ({ id }) => toolkit.channels.tagChannels(actor, [id], tag || null),
        doneText: (count) =>
          tag ? t('ui.channelsTaggedWith', { tag, count }) : t('ui.removedTheTagsOfChannels', { count }),
      })
    const [enableOrDisable, remove] = statusKeys(list)
    const askForTag = () => list.prompt({ label: t('ui.tagEmpty'), initial: chosen[0]?.tag ?? '', onEnter: setTag })
    return [enableOrDisable, bindKey('T', t('channel.tag'), askForTag), remove]
  }
}

interface SheetProps {
  channel: Channel
  bindings: readonly KeyBinding[]
  onClose(): void
}

/** Details of a channel: settings, problems and events. */
function ChannelSheet({ channel, bindings, onClose }: SheetProps) {
  const { toolkit, actor, t, format, intervals } = useUi()
  const linesOf = useRecordLines()
  const load = useCallback(async () => toolkit.channels.healthOf(actor, channel.id), [toolkit, actor, channel.id])
  const { data, error } = useLoaded(load, { everyMs: intervals.slow })

  const rowText = <T,>(row: T, columns: readonly Column<T>[]) =>
    sanitizeName(columns.map(({ value }) => value(row, format)).join('  '))
  function healthLines({ healthy, circuits, disabled, events }: OneChannelHealth): SheetLine[] {
    const troubles = troublesOf({ circuits, disabled: disabled ? [disabled] : [] })
    return [
      BLANK,
      { title: t('ui.health'), text: healthy ? t('ui.well') : t('ui.unhealthy'), tone: healthy ? 'good' : 'bad' },
      ...troubles.map((trouble) => ({ text: rowText(trouble, TROUBLE_COLUMNS.slice(1)), tone: 'bad' as const })),
      BLANK,
      ...events.map((event, at) => ({
        ...(at === 0 && { title: t('ui.history') }),
        text: rowText(event, EVENT_COLUMNS),
        tone: EVENT_COLUMNS.find(({ tone }) => tone)?.tone?.(event),
      })),
    ]
  }
  const lines = [...linesOf(channel, CHANNEL_COLUMNS), ...(data ? healthLines(data) : [])]
  return (
    <Sheet
      title={t('ui.channelTitle', { name: channel.name })}
      lines={lines}
      error={error}
      bindings={bindings}
      onClose={onClose}
    />
  )
}
