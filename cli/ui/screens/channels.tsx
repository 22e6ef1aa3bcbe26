import { useCallback } from 'react'
import { CHANNEL_STATUS, type Channel } from '../../../core/channels/channel.ts'
import { CHANNEL_COLUMNS } from '../../columns/channel.ts'
import type { Binding } from '../bindings.ts'
import { ChannelSheet } from '../channel-sheet.tsx'
import { useDesk } from '../desk.ts'
import { ChannelForm } from '../forms/channel.tsx'
import { type ListControl, type ListQuery, ListScreen } from '../list-screen.tsx'

/** Upstream accounts, by priority. */
export function ChannelsScreen() {
  const { toolkit, actor, say, text, ask, pace } = useDesk()
  const load = useCallback(
    async ({ keyword, ...paging }: ListQuery) =>
      toolkit.channels.list(actor, { ...paging, ...(keyword && { keyword }) }),
    [toolkit, actor],
  )

  function bindings(channel: Channel | undefined, list: ListControl): Binding[] {
    const add = { keys: ['a'], shown: 'a', label: text('add'), run: () => list.show(<ChannelForm list={list} />) }
    if (!channel) return [add]
    const { id, name } = channel
    const enabled = channel.status === CHANNEL_STATUS.enabled
    return [
      {
        keys: ['enter'],
        shown: 'Enter',
        label: text('open'),
        run: () => list.show(<ChannelSheet channel={channel} onClose={list.close} />),
      },
      {
        keys: ['t'],
        shown: 't',
        label: text('test'),
        run: () =>
          list.act(say`Testing channel ${name} …`, async () => {
            const { success, message, time, model } = await toolkit.channelChecks.test(actor, id)
            if (!success) return { text: say`Channel ${name} failed: ${message}`, tone: 'bad' }
            return say`Channel ${name} answered with ${model} in ${time.toFixed(2)} s.`
          }),
      },
      {
        keys: [' '],
        shown: 'Space',
        label: enabled ? text('disable') : text('enable'),
        run: () =>
          list.act(say`Changing channel ${name} …`, async () => {
            const status = enabled ? CHANNEL_STATUS.disabled : CHANNEL_STATUS.enabled
            await toolkit.channels.setStatus(actor, id, status)
            return enabled ? say`Channel ${name} is disabled.` : say`Channel ${name} is enabled.`
          }),
      },
      add,
      {
        keys: ['e'],
        shown: 'e',
        label: text('edit'),
        run: () => list.show(<ChannelForm list={list} channel={channel} />),
      },
      {
        keys: ['d'],
        shown: 'd',
        label: text('delete'),
        run: () =>
          ask(say`Delete channel ${name}? Its key is gone for good.`, () =>
            list.act(say`Deleting channel ${name} …`, async () => {
              await toolkit.channels.delete(actor, id)
              return say`Channel ${name} is deleted.`
            }),
          ),
      },
    ]
  }

  return (
    <ListScreen
      title={text('Channels')}
      columns={CHANNEL_COLUMNS}
      load={load}
      keyOf={({ id }) => id}
      empty={text('No channels yet: a adds one.')}
      searched={text('Part of a name, or an id')}
      everyMs={pace.slow}
      bindings={bindings}
    />
  )
}
