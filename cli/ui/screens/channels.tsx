import { useCallback } from 'react'
import { CHANNEL_STATUS, type Channel } from '../../../core/channels/channel.ts'
import { CHANNEL_COLUMNS } from '../../columns/channel.ts'
import { bindKey, type KeyBinding } from '../bindings.ts'
import { ChannelSheet } from '../channel-sheet.tsx'
import { ofChannel, useRequestKeys } from '../drill.tsx'
import { ChannelForm } from '../forms/channel.tsx'
import { type ListQuery, ListScreen, type RowControl } from '../list-screen.tsx'
import { useUi } from '../ui-context.ts'

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
  const one = useOneChannel()
  const several = useSeveralChannels()

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
      ...several(list),
      ...one(channel, list),
      add,
      bindKey('e', t('ui.edit'), () => list.show(<ChannelForm list={list} channel={channel} />)),
      bindKey('y', t('ui.copyId'), () => list.copy(t('ui.theIdOfChannel', { name }), String(id)), { quiet: true }),
    ]
  }
}

function useOneChannel() {
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

function useSeveralChannels() {
  const { toolkit, actor, t, confirm } = useUi()
  return (list: RowControl<Channel>): KeyBinding[] => {
    const { chosen, several } = list
    const name = chosen[0]?.name ?? ''
    const disables = chosen.some(({ status }) => status === CHANNEL_STATUS.enabled)
    const status = disables ? CHANNEL_STATUS.disabled : CHANNEL_STATUS.enabled
    const setStatus = () =>
      list.each({
        doing: several ? t('ui.updatingChannels', { count: chosen.length }) : t('ui.updatingChannel', { name }),
        changeOne: async ({ id }) => toolkit.channels.setStatus(actor, id, status),
        doneText: (count) =>
          several
            ? disables
              ? t('ui.disabledChannels', { count })
              : t('ui.enabledChannels', { count })
            : disables
              ? t('ui.disabledChannel', { name })
              : t('ui.enabledChannel', { name }),
      })
    const remove = () =>
      list.each({
        doing: several ? t('ui.deletingChannels', { count: chosen.length }) : t('ui.deletingChannel', { name }),
        changeOne: async ({ id }) => toolkit.channels.delete(actor, id),
        doneText: (count) => (several ? t('ui.deletedChannels', { count }) : t('ui.deletedChannel', { name })),
      })
    const setTag = (tag: string) =>
      list.each({
        doing: t('ui.taggingChannels', { count: chosen.length }),
        changeOne: async ({ id }) => toolkit.channels.tagChannels(actor, [id], tag || null),
        doneText: (count) =>
          tag ? t('ui.channelsTaggedWith', { tag, count }) : t('ui.removedTheTagsOfChannels', { count }),
      })
    return [
      bindKey(' ', disables ? t('ui.disable') : t('ui.enable'), setStatus),
      bindKey('T', t('channel.tag'), () =>
        list.prompt({ label: t('ui.tagEmpty'), initial: chosen[0]?.tag ?? '', onEnter: setTag }),
      ),
      bindKey('d', t('ui.delete'), () =>
        confirm(
          several
            ? t('ui.permanentlyDeleteChannelsAndTheirKeys', { count: chosen.length })
            : t('ui.permanentlyDeleteChannelAndItsKey', { name }),
          remove,
        ),
      ),
    ]
  }
}
